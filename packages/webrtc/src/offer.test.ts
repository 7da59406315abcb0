import { describe, expect, it } from 'vitest'
import { readOffer } from './offer.ts'

const offer = [
  'v=0',
  'o=- 1 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0 1',
  'm=audio 9 UDP/TLS/RTP/SAVPF 111 63',
  'c=IN IP4 0.0.0.0',
  'a=candidate:1 1 udp 2113937151 192.0.2.1 50000 typ host',
  'a=end-of-candidates',
  'a=ice-ufrag:abcd',
  'a=ice-pwd:abcdefghijklmnopqrstuvwx',
  'a=fingerprint:sha-256 00:11',
  'a=setup:actpass',
  'a=mid:0',
  'a=rtpmap:111 opus/48000/2',
  'a=rtpmap:63 red/48000/2',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=mid:1',
  'a=sctp-port:5000',
]
const without = (start: string) => offer.filter((line) => !line.startsWith(start))

describe('readOffer', () => {
  it.each(['\r\n', '\n'])('removes the addresses of the client (line end %j)', (lineEnd) => {
    const read = readOffer(offer.join(lineEnd))
    const expected = offer.filter((line) => !/candidate/.test(line))
    expect(read.split('\r\n')).toEqual(expected)
  })

  it.each<[string, string[], RegExp]>([
    ['text that is not SDP', ['{"sdp":"v=0"}'], /^is not SDP/],
    ['an empty text', [], /^is not SDP/],
    ['an offer without audio', without('m=audio'), /^has 0 lines m=audio/],
    ['two lines of audio', [...offer, 'm=audio 9 RTP/AVP 0'], /^has 2 lines m=audio/],
    ['no data channel', without('m=application'), /createDataChannel/],
    ['video', [...offer, 'm=video 9 RTP/AVP 96'], /^contains more than audio/],
    ['audio without Opus', without('a=rtpmap:111'), /Opus$/],
    ['no ICE', without('a=ice-pwd'), /^has no line a=ice-pwd:$/],
    ['no encryption', without('a=fingerprint'), /^has no line a=fingerprint:$/],
    ['too long a text', [...offer, 'a='.repeat(40_000)], /^has more than 65536 characters$/],
  ])('rejects %s', (_what, lines, problem) => {
    expect(() => readOffer(lines.join('\r\n'))).toThrow(problem)
  })
})
