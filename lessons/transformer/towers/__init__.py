"""The view “Towers”: BERT’s sizes as two towers whose area is their weights."""
