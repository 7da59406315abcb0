import { RTCPeerConnection, type RTCPeerConnectionConfig, RTCRtpCodecParameters } from 'werift'
import { guardMessages } from './guard-messages.ts'
import { ignoreStrangers, transportsOf } from './ignore-strangers.ts'
import { createJitterBuffer, type OpusPacket } from './jitter-buffer.ts'
import { createMessageChannel } from './message-channel.ts'
import { OfferError, readOffer } from './offer.ts'
import { createPacketSender, type SendPacket } from './packet-sender.ts'

/** How a call is accepted, and who receives what the client sends. */
export interface WebRtcCallOptions {
  /** Whether only programs on this machine can connect. Otherwise, the answer names all addresses of the machine. */
  isLocal: boolean
  /** How long the client may take to connect, in milliseconds. Default 15,000. */
  connectLimitMs?: number
  /** Receives the sound of the client, in order. */
  onPacket(packet: OpusPacket): void
  /** Receives the messages of the client, in order. */
  onMessage(message: Buffer): void
}

/** A call with one client: Opus in both directions, and a data channel. */
export interface WebRtcCall {
  /** The answer to the offer, as SDP. */
  readonly answer: string
  /** Resolves when the client has opened the data channel, or the call has ended. */
  readonly opened: Promise<void>
  /** Aborted when the call has ended: the client hung up, did not connect or no longer responds. */
  readonly signal: AbortSignal
  /** Sends a message. Resolves when most of what was sent has left. A message that is too large ends the call. */
  send(message: string): Promise<void>
  /** Sends sound. Before the client is connected, it is lost. */
  readonly sendPacket: SendPacket
  /** Ends the call and frees its ports. Later calls return the same promise. */
  close(): Promise<void>
}

const defaultConnectLimitMs = 15_000
const maxMessageBytes = 256 * 1024

/** Only the address of this machine that no other machine can reach. */
const onlyLoopback: RTCPeerConnectionConfig = {
  iceUseIpv4: false,
  iceUseIpv6: false,
  iceAdditionalHostAddresses: ['127.0.0.1'],
  iceInterfaceAddresses: { udp4: '127.0.0.1' },
}

/**
 * Accepts the call of a client. Must be closed after success.
 * @param offer SDP with one audio track and a data channel.
 * @throws {OfferError} if the offer cannot become a call.
 */
export async function acceptCall(offer: string, options: WebRtcCallOptions): Promise<WebRtcCall> {
  const { isLocal, connectLimitMs = defaultConnectLimitMs, onMessage } = options
  const sdp = readOffer(offer)
  const opus = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }
  const peer = new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(opus)] },
    iceServers: [],
    maxMessageSize: maxMessageBytes,
    ...(isLocal && onlyLoopback),
  })
  const { signal, close } = closeWhenLost(peer)
  const channel = createMessageChannel(peer, { signal, onMessage, onEnd: close })
  receiveSound(peer, options)
  const { sender } = peer.addTransceiver('audio', { direction: 'sendrecv' })
  try {
    await peer.setLocalDescription(await createAnswer(peer, sdp))
  } catch (error) {
    await close()
    throw error
  }
  const limit = setTimeout(close, connectLimitMs)
  void channel.opened.then(() => clearTimeout(limit))
  ignoreSocketErrors(peer)
  const answer = peer.localDescription!.sdp
  ignoreStrangers(peer, {
    username: `${readIce(answer, 'ufrag')}:${readIce(sdp, 'ufrag')}`,
    password: readIce(answer, 'pwd'),
  })
  guardMessages(peer, close)
  return {
    answer,
    opened: channel.opened,
    signal,
    send: channel.send,
    sendPacket: createPacketSender(sender),
    close,
  }
}

async function createAnswer(peer: RTCPeerConnection, sdp: string) {
  try {
    await peer.setRemoteDescription({ type: 'offer', sdp })
    askNoServer(peer)
    return await peer.createAnswer()
  } catch (cause) {
    throw new OfferError('is malformed', { cause })
  }
}

/** @returns a signal that is aborted when the call has ended, and a function that ends it. */
function closeWhenLost(peer: RTCPeerConnection): Pick<WebRtcCall, 'signal' | 'close'> {
  const ended = new AbortController()
  let closing: Promise<void> | undefined
  const close = () => {
    ended.abort()
    closing ??= peer.close().catch(() => {})
    return closing
  }
  const closeIfLost = (state: string) => {
    if (state === 'failed' || state === 'closed') void close()
  }
  peer.connectionStateChange.subscribe(closeIfLost)
  peer.iceConnectionStateChange.subscribe(closeIfLost)
  return { signal: ended.signal, close }
}

function receiveSound(peer: RTCPeerConnection, { onPacket }: WebRtcCallOptions): void {
  const order = createJitterBuffer()
  peer.onTrack.subscribe((track) =>
    track.onReceiveRtp.subscribe(({ header, payload }) => {
      const { sequenceNumber, timestamp } = header
      for (const packet of order.push({ sequenceNumber, timestamp, payload })) onPacket(packet)
    }),
  )
}

function readIce(sdp: string, name: 'ufrag' | 'pwd'): string {
  return new RegExp(`^a=ice-${name}:(\\S+)`, 'm').exec(sdp)?.[1] ?? ''
}

/** The client reaches this machine directly. Without a server, werift asks one of Google for the address of this machine. */
function askNoServer(peer: RTCPeerConnection): void {
  for (const { connection } of peer.iceTransports) connection.stunServer = undefined
}

/**
 * werift does not listen for the errors of its sockets, so an unreachable network would end the process. Lost packets need
 * no error: the call ends when the client no longer responds.
 */
function ignoreSocketErrors(peer: RTCPeerConnection): void {
  for (const { socket } of transportsOf(peer)) socket.on('error', () => {})
}
