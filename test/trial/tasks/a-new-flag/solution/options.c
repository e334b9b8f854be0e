#include "options.h"
#include <string.h>

struct options parse_options(int count, char **arguments)
{
	struct options options = {0};

	for (int at = 1; at < count; at++) {
		if (strcmp(arguments[at], "-n") == 0) options.numbers = 1;
		else if (strcmp(arguments[at], "-s") == 0) options.squeeze = 1;
		else options.error = 1;
	}
	return options;
}
