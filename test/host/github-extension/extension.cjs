/** Title and provider of each that is registered now, in order. */
const registered = new Set();

exports.activate = () => ({
  registered,
  registerTitleAndDescriptionProvider(title, provider) {
    const one = { title, provider };
    registered.add(one);
    return { dispose: () => registered.delete(one) };
  },
});
