import type { RealtimeClientEvent } from '@parlando/core/wire'
import { onTestFinished } from 'vitest'
import { RTCPeerConnection, RTCRtpCodecParameters, RtpHeader, RtpPacket } from 'werift'
import { openOpusPackets } from '../../../../local-service/src/audio/encoding/opus-packets.ts'
import { createEventInbox, type EventInbox } from './event-inbox.ts'

/** A client that calls as a browser does, with sound that the test sends. */
export interface CallClient extends Pick<EventInbox, 'events' | 'next'> {
  offer: string
  /** The response to the offer. */
  response: Response
  /** The sound that has arrived, as 16-bit PCM with 24 kHz. */
  heard: Uint8Array[]
  send(...events: RealtimeClientEvent[]): void
  sendText(text: string): void
  /** Says something. Before and after it, the microphone is silent. @param samples at 24 kHz. */
  say(samples: Int16Array): void
  /** Where the service receives packets. */
  servicePort(): number
  hangUp(): Promise<void>
}

const packetMs = 20
const packetBytes = 960

/** @param toBody the body and headers of the request. Default: the offer as SDP. */
export async function call(
  url: string,
  toBody: (sdp: string) => RequestInit = (body) => ({
    body,
    headers: { 'content-type': 'application/sdp' },
  }),
): Promise<CallClient> {
  const codec = await openOpusPackets(24_000)
  const peer = createPeer()
  const { events, add, next } = createEventInbox()
  const heard: Uint8Array[] = []
  const channel = peer.createDataChannel('oai-events')
  channel.onMessage.subscribe((message) => add(JSON.parse(message.toString())))
  peer.onTrack.subscribe((track) =>
    track.onReceiveRtp.subscribe(({ payload }) => {
      heard.push(codec.decode(payload))
    }),
  )
  const { sender } = peer.addTransceiver('audio', { direction: 'sendrecv' })
  // Otherwise, it asks a server of Google for the address of this machine.
  for (const { connection } of peer.iceTransports) connection.stunServer = undefined
  await peer.setLocalDescription(await peer.createOffer())
  const offer = peer.localDescription!.sdp
  const response = await fetch(url, { method: 'POST', ...toBody(offer) })
  const text = await response.clone().text()
  const sdp: string = text.startsWith('{') ? JSON.parse(text).sdp : text
  const answer = response.ok ? sdp : ''
  if (answer) await peer.setRemoteDescription({ type: 'answer', sdp: answer })
  const microphone = startMicrophone((packet) => void sender.sendRtp(packet), codec.encode)
  const hangUp = () => {
    microphone.stop()
    return peer.close()
  }
  onTestFinished(hangUp)

  const sendText = (text: string) => channel.send(text)
  return {
    offer,
    response,
    events,
    heard,
    sendText,
    send(...sent) {
      for (const event of sent) sendText(JSON.stringify(event))
    },
    say: microphone.say,
    next,
    servicePort: () => Number(/^a=candidate:\S+ 1 udp \d+ 127\.0\.0\.1 (\d+) /m.exec(answer)?.[1]),
    hangUp,
  }
}

/** A browser on this machine. */
function createPeer(): RTCPeerConnection {
  const opus = { mimeType: 'audio/opus', clockRate: 48_000, channels: 2, payloadType: 111 }
  return new RTCPeerConnection({
    codecs: { audio: [new RTCRtpCodecParameters(opus)] },
    iceServers: [],
    iceUseIpv4: false,
    iceUseIpv6: false,
    iceAdditionalHostAddresses: ['127.0.0.1'],
  })
}

/** Sends a packet every 20 ms, of silence while nothing is said. */
function startMicrophone(
  send: (packet: RtpPacket) => void,
  encode: (pcm: Uint8Array) => Uint8Array,
) {
  let sequenceNumber = 0
  let waiting = Buffer.alloc(0)
  const sending = setInterval(() => {
    const pcm = Buffer.alloc(packetBytes)
    waiting.copy(pcm)
    waiting = waiting.subarray(packetBytes)
    const header = new RtpHeader({ sequenceNumber, timestamp: sequenceNumber * 960 })
    send(new RtpPacket(header, Buffer.from(encode(pcm))))
    sequenceNumber++
  }, packetMs)
  return {
    say(samples: Int16Array): void {
      const bytes = Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength)
      waiting = Buffer.concat([waiting, bytes])
    },
    stop: () => clearInterval(sending),
  }
}
