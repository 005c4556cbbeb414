"""Many machines with homes of their own, seen as one. Nothing outside imports this but where a fleet is used."""
