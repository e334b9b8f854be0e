/** Makes the value of an object when it is first asked for, and keeps it as long as the object. */
export function once<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();
  return (key) => {
    const is = known.get(key) ?? make(key);
    known.set(key, is);
    return is;
  };
}
