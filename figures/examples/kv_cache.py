# Сколько занимает KV-кэш
from attnlib.cost import kv_cache_bytes

models = {  # L, h_kv, d, контекст
    "GPT-2 small": (12, 12, 64, 1024),
    "Llama-2-7B": (32, 32, 128, 4096),
    "Llama-2-70B": (80, 8, 128, 4096),
    "Llama-3-8B": (32, 8, 128, 8192),
}
for name, (layers, h_kv, d, n) in models.items():
    print(f"{name}: {kv_cache_bytes(layers, h_kv, d, n) / 2**20:.0f} МиБ")
