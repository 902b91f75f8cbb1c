// Preloaded into a program (`NODE_OPTIONS=--require`), logs each use of the network to the file that SOCKET_SPY names.
const { appendFileSync } = require('node:fs');
const { Socket } = require('node:net');
const dgram = require('node:dgram');

const note = (what) => appendFileSync(process.env.SOCKET_SPY, `${what}\n`);
const { connect } = Socket.prototype;
Socket.prototype.connect = function (...args) {
  const [target] = args.flat();
  const isLocal = typeof target === 'string' || typeof target?.path === 'string'; // a pipe on this computer
  if (!isLocal) note(`connect ${JSON.stringify(target)}`);
  return connect.apply(this, args);
};
const { createSocket } = dgram;
dgram.createSocket = (...args) => {
  note('datagram');
  return createSocket(...args);
};
