"""The service that holds dangerous actions until somebody answers. Nothing else of ours takes a web server."""
