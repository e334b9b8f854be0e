import measures

print(measures.amber_to_amber_0(2))
