#include "stack.h"

void stack_init(Stack *stack)
{
	stack->count = 0;
}

int stack_push(Stack *stack, int item)
{
	if (stack->count >= STACK_MAX) {
		return -1;
	}
	stack->items[stack->count++] = item;
	return 0;
}

int stack_pop(Stack *stack, int *item)
{
	if (stack->count == 0) {
		return -1;
	}
	*item = stack->items[--stack->count];
	return 0;
}
