import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'

/** Adds the bytes of a file to a hash. */
export async function hashFile(path: string, hash: Hash): Promise<void> {
  for await (const chunk of createReadStream(path)) hash.update(chunk)
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await hashFile(path, hash)
  return hash.digest('hex')
}
