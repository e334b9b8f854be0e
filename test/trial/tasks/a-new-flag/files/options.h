#ifndef OPTIONS_H
#define OPTIONS_H

#define USAGE "show [-n]"

struct options {
	int numbers;
	int error;
};

struct options parse_options(int count, char **arguments);

#endif
