#include <stdio.h>
#include <string.h>
#include "options.h"

int main(int count, char **arguments)
{
	struct options options = parse_options(count, arguments);
	char line[1024];

	if (options.error) {
		fprintf(stderr, "usage: %s\n", USAGE);
		return 2;
	}
	for (int number = 1; fgets(line, sizeof line, stdin); number++) {
		if (options.numbers) printf("%d ", number);
		fputs(line, stdout);
	}
	return 0;
}
