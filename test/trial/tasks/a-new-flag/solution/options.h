#ifndef OPTIONS_H
#define OPTIONS_H

#define USAGE "show [-n] [-s]"

struct options {
	int numbers;
	int squeeze;
	int error;
};

struct options parse_options(int count, char **arguments);

#endif
