"""Real browsers and a server with faults on demand, for the tests and the maker of the runtime."""
