import { execFile, execFileSync } from 'node:child_process'
import { promisify } from 'node:util'

/** Uses every part of the server as Home Assistant does, and prints what it has received. */
const program = `
import asyncio, json, sys
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info
from wyoming.tts import Synthesize, SynthesizeVoice, SynthesizeStart, SynthesizeChunk, SynthesizeStop

async def read_until(client, last):
    seen, audio = [], 0
    while True:
        event = await client.read_event()
        if event is None:
            raise SystemExit("connection lost")
        if event.type not in seen:
            seen.append(event.type)
        audio += len(event.payload or b"")
        if event.type == last:
            return {"types": seen, "audio": audio, "event": event}

async def main(host, port):
    found = {}
    async with AsyncTcpClient(host, port) as client:
        await client.write_event(Describe().event())
        info = Info.from_event((await read_until(client, "info"))["event"])
        found["voice"] = info.tts[0].voices[0].name
    voice = SynthesizeVoice(name=found["voice"])
    async with AsyncTcpClient(host, port) as client:
        await client.write_event(Synthesize(text="Good morning.", voice=voice).event())
        result = await read_until(client, "audio-stop")
        found["whole"] = [result["types"], result["audio"] > 10000]
    async with AsyncTcpClient(host, port) as client:
        await client.write_event(SynthesizeStart(voice=voice).event())
        await client.write_event(SynthesizeChunk(text="Good morning. The ").event())
        await client.write_event(SynthesizeChunk(text="coffee is ready.").event())
        await client.write_event(Synthesize(text="Good morning. The coffee is ready.", voice=voice).event())
        await client.write_event(SynthesizeStop().event())
        result = await read_until(client, "synthesize-stopped")
        found["stream"] = [result["types"], result["audio"] > 20000]
    print(json.dumps(found))

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
`

/** The reference client is a package of Python, which Debian does not have. */
export const hasReferenceClient = canImportReferenceClient()

function canImportReferenceClient(): boolean {
  try {
    execFileSync('python3', ['-c', 'import wyoming.client'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Lets the reference client of the protocol use a server of the local service, and returns what the client has received. */
export async function runReferenceClient(url: string): Promise<unknown> {
  const { hostname, port } = new URL(url)
  const { stdout } = await promisify(execFile)('python3', ['-c', program, hostname, port])
  return JSON.parse(stdout)
}
