"""The app in a browser of this machine: who may ask for it, and what it is made of."""
