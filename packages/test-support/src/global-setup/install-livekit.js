import { install } from '../../../../scripts/prepare.js'

/** Installs LiveKit Agents, whose plug-ins are clients of the local service in tests. */
export default async function setup() {
  await install('Installing LiveKit Agents', 'test/livekit')
}
