"""A sample Hermes home, made on the spot, so that everything can be tried without a session of one's own."""

from warm_tui.demo.home import build_demo

__all__ = ["build_demo"]
