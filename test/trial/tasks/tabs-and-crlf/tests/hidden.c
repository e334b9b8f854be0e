#include <assert.h>
#include "stack.h"

int main(void)
{
	Stack stack;
	int item = 99;

	stack_init(&stack);
	assert(stack_pop(&stack, &item) == -1 && item == 99 && stack.count == 0);
	for (int at = 0; at < STACK_MAX; at++) assert(stack_push(&stack, at) == 0);
	assert(stack_push(&stack, 5) == -1 && stack.count == STACK_MAX);
	for (int at = STACK_MAX - 1; at >= 0; at--) {
		assert(stack_pop(&stack, &item) == 0 && item == at);
	}
	assert(stack_pop(&stack, &item) == -1);
	return 0;
}
