import { rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Claims a name on this machine until the process ends, also if it is killed: unlike a file with a process number, a socket
 * has no owner then.
 * @param name short, because the path of a socket has at most about 100 characters.
 * @returns a function that releases the name, or nothing if another process has it.
 */
export async function claimName(name: string): Promise<(() => Promise<void>) | undefined> {
  const path =
    process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`)
  return (await listen(path)) ?? (await takeOver(path))
}

/** A process that was killed leaves the file of its socket. */
async function takeOver(path: string) {
  if (await isInUse(path)) return undefined
  await rm(path, { force: true })
  return listen(path)
}

function listen(path: string): Promise<(() => Promise<void>) | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy()).unref()
    server.once('error', (error: NodeJS.ErrnoException) => {
      // Where there can be no socket, such as on a disk that is read-only, everybody gets the name.
      resolve(error.code === 'EADDRINUSE' ? undefined : async () => {})
    })
    server.listen(path, () => {
      // As a child process, the service exits without closing anything. Named pipes end with their process.
      const removeFile = () => {
        if (process.platform !== 'win32') rmSync(path, { force: true })
      }
      process.once('exit', removeFile)
      resolve(async () => {
        // Then it may be the file of another process.
        process.off('exit', removeFile)
        await new Promise((closed) => server.close(closed))
      })
    })
  })
}

function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
