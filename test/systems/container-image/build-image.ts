import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const execute = promisify(execFile)

/** Runs a program. @returns what it printed. @throws {Error} with what it reported if it fails. */
async function run(program: string, ...options: string[]): Promise<string> {
  const { stdout } = await execute(program, options, { maxBuffer: 64 * 1024 * 1024 })
  return stdout.trim()
}

/** Builds images and runs containers without a daemon. All of them are in one folder. */
export class Buildah {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  /** The arguments of `buildah` for a command. */
  argumentsOf(...command: string[]): string[] {
    const storage = ['--storage-driver', 'vfs', '--root', join(this.#folder, 'storage')]
    return [...storage, '--runroot', join(this.#folder, 'run'), ...command]
  }

  run(...command: string[]): Promise<string> {
    return run('buildah', ...this.argumentsOf(...command))
  }

  /** Removes all images and containers. */
  async remove(): Promise<void> {
    await this.run('rm', '--all').catch(() => {})
    await rm(this.#folder, { recursive: true, force: true })
  }
}

/**
 * Builds the image of deploy/Dockerfile, with another base image: the registry of the one that it names may be out of reach.
 * @returns the name of the image.
 */
export async function buildImage(buildah: Buildah, folder: string): Promise<string> {
  await buildBase(buildah, join(folder, 'base'))
  const dockerfile = await readFile(join(repository, 'deploy/Dockerfile'), 'utf8')
  const unpinned = join(folder, 'Dockerfile')
  await writeFile(unpinned, dockerfile.replaceAll(/@sha256:[0-9a-f]{64}/g, ''))
  const isolation = ['--isolation', 'chroot', '--network', 'host']
  const ignored = ['--ignorefile', join(repository, 'deploy/Dockerfile.dockerignore')]
  const name = 'localhost/parlando-local'
  const names = ['--file', unpinned, '--tag', name]
  await buildah.run('build', '--format', 'docker', ...isolation, ...ignored, ...names, repository)
  return name
}

/** A Debian with Node 24 and npm, as `node:24-slim` has it. */
async function buildBase(buildah: Buildah, root: string): Promise<void> {
  await mkdir(root, { recursive: true })
  await run('debootstrap', '--variant=minbase', '--include=ca-certificates', 'bookworm', root)
  const container = await buildah.run('from', 'scratch')
  const add = (...paths: [string, string]) => buildah.run('add', '--quiet', container, ...paths)
  await add(root, '/')
  await add(join(nodeFolder(), 'bin/node'), '/usr/local/bin/node')
  await add(join(await run('npm', 'root', '--global'), 'npm'), '/usr/local/lib/node_modules/npm')
  const certificates = process.env['NODE_EXTRA_CA_CERTS']
  if (certificates) {
    // The proxy of this machine may sign for the registry.
    await add(certificates, '/etc/ssl/extra.crt')
    await buildah.run('config', '--env', 'NODE_EXTRA_CA_CERTS=/etc/ssl/extra.crt', container)
  }
  const commands = [
    'ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm',
    'groupadd --gid 1000 node',
    'useradd --uid 1000 --gid node --create-home node',
  ]
  const shell = ['sh', '-c', commands.join(' && ')]
  await buildah.run('run', '--isolation', 'chroot', container, '--', ...shell)
  await buildah.run('commit', '--quiet', '--rm', container, 'localhost/node:24-slim')
  await rm(root, { recursive: true })
}

/** The folder of the Node 24 that the install has fetched. */
function nodeFolder(): string {
  const manifest = `node-linux-${process.arch}/package.json`
  return dirname(createRequire(import.meta.url).resolve(manifest))
}
