"""What players ask for beside their answers: of a seat, of each other, of the desk."""
