// wine 8 knows no TCP_KEEPINTVL: Node's keep-alive would break every connection.
const net = require('node:net');
const tls = require('node:tls');

net.Socket.prototype.setKeepAlive = function setKeepAlive() {
  return this;
};
for (const module of [net, tls]) {
  const { connect } = module;
  const withoutKeepAlive = (options, ...rest) =>
    connect.call(
      module,
      typeof options === 'object' && options !== null ? { ...options, keepAlive: false } : options,
      ...rest,
    );
  module.connect = withoutKeepAlive;
  module.createConnection = withoutKeepAlive;
}
