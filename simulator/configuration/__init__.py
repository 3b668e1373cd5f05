"""Configuration states: values, scopes, and what each of them does in the model."""
