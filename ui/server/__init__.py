"""What a server does besides its pages: who may come in, what is counted, logged and answered."""
