#include <stdio.h>
#include "stack.h"

int main(void)
{
	Stack stack;
	int item;

	stack_init(&stack);
	stack_push(&stack, 7);
	stack_pop(&stack, &item);
	printf("%d\n", item);
	return 0;
}
