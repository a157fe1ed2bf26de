"""The offices: what falls due, who plays where, how the club is carried out, where alone a match is changed."""
