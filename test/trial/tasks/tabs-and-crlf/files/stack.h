#ifndef STACK_H
#define STACK_H

#define STACK_MAX 4

typedef struct {
	int items[STACK_MAX];
	int count;
} Stack;

void stack_init(Stack *stack);
/* Returns 0, or -1 when the stack is full. */
int stack_push(Stack *stack, int item);
/* Returns 0, or -1 when the stack is empty. */
int stack_pop(Stack *stack, int *item);

#endif
