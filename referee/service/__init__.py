"""The referee put together and kept at work: configuration, wiring, the service, workers, alarms about trouble."""
