import { createRequire } from 'node:module'
import type { PocketsphinxFiles } from './find-pocketsphinx.ts'

/** The functions of koffi in use. */
interface Koffi {
  load(path: string): { func(declaration: string): NativeFunction }
  struct(fields: Readonly<Record<string, string>>): Type
  array(type: 'float', length: number): Type
  decode(pointer: unknown, type: 'char', length: number): string
  decode(pointer: unknown, type: Type): unknown
  encode(pointer: unknown, type: Type, value: unknown): void
}

/** A type of C, of koffi. */
type Type = object

export interface NativeFunction {
  (...values: unknown[]): unknown
  /** Runs in another thread. The last argument receives an error and the result. */
  async(...values: unknown[]): void
}

/** The functions of pocketsphinx 5prealpha in use. */
export type PocketsphinxLibrary = ReturnType<typeof loadPocketsphinx>

export function loadPocketsphinx({ library, baseLibrary }: PocketsphinxFiles) {
  // The package koffi would not do: it runs an install script, which would compile where this package does not exist.
  const koffi: Koffi = createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`)
  const base = koffi.load(baseLibrary)
  const sphinx = koffi.load(library)
  const system = koffi.load('libc.so.6')
  return {
    readText: (pointer: unknown) => koffi.decode(pointer, 'char', -1),
    memory: createMemory(koffi),
    ps_args: sphinx.func('void *ps_args()'),
    cmd_ln_init: base.func('void *cmd_ln_init(void *, void *definitions, int strict, ...)'),
    ps_init: sphinx.func('void *ps_init(void *config)'),
    ps_free: sphinx.func('int ps_free(void *)'),
    ps_get_feat: sphinx.func('void *ps_get_feat(void *)'),
    ps_get_logmath: sphinx.func('void *ps_get_logmath(void *)'),
    ps_set_lm_file: sphinx.func('int ps_set_lm_file(void *, const char *name, const char *path)'),
    ps_set_allphone_file: sphinx.func(
      'int ps_set_allphone_file(void *, const char *name, const char *path)',
    ),
    ps_set_fsg: sphinx.func('int ps_set_fsg(void *, const char *name, void *graph)'),
    ps_set_kws: sphinx.func('int ps_set_kws(void *, const char *name, const char *path)'),
    ps_set_search: sphinx.func('int ps_set_search(void *, const char *name)'),
    ps_lookup_word: sphinx.func('void *ps_lookup_word(void *, const char *word)'),
    ps_add_word: sphinx.func(
      'int ps_add_word(void *, const char *word, const char *sounds, int isInUse)',
    ),
    ps_start_stream: sphinx.func('int ps_start_stream(void *)'),
    ps_start_utt: sphinx.func('int ps_start_utt(void *)'),
    ps_process_raw: sphinx.func(
      'int ps_process_raw(void *, const int16_t *samples, size_t length, int noSearch, int isWhole)',
    ),
    ps_end_utt: sphinx.func('int ps_end_utt(void *)'),
    ps_get_n_frames: sphinx.func('int ps_get_n_frames(void *)'),
    ps_get_hyp: sphinx.func('const char *ps_get_hyp(void *, _Out_ int *score)'),
    ps_seg_iter: sphinx.func('void *ps_seg_iter(void *)'),
    ps_seg_next: sphinx.func('void *ps_seg_next(void *)'),
    ps_seg_word: sphinx.func('const char *ps_seg_word(void *)'),
    ps_seg_frames: sphinx.func('void ps_seg_frames(void *, _Out_ int *first, _Out_ int *last)'),
    ps_seg_prob: sphinx.func('int ps_seg_prob(void *, void *, void *, void *)'),
    logmath_exp: base.func('double logmath_exp(void *, int value)'),
    fsg_model_read: base.func('void *fsg_model_read(void *file, void *logmath, float weight)'),
    fsg_model_free: base.func('int fsg_model_free(void *)'),
    fmemopen: system.func('void *fmemopen(void *memory, size_t size, const char *mode)'),
    memfd_create: system.func('int memfd_create(const char *name, unsigned int flags)'),
    fclose: system.func('int fclose(void *)'),
    free: system.func('void free(void *)'),
  }
}

/** The fields of `cmn_t`, the state of the normalisation. */
interface Normalisation {
  mean: unknown
  variance: unknown
  sum: unknown
  frames: number
  length: number
}

/** Reads and writes the structures of sphinxbase that its headers `feat.h` and `cmn.h` define. */
function createMemory({ struct, array, decode, encode }: Koffi) {
  // Up to the one field in use, with all fields before it.
  const features = struct({
    refcount: 'int',
    name: 'void *',
    cepsize: 'int',
    n_stream: 'int',
    stream_len: 'void *',
    window_size: 'int',
    n_sv: 'int',
    sv_len: 'void *',
    subvecs: 'void *',
    sv_buf: 'void *',
    sv_dim: 'int',
    cmn_type: 'int',
    varnorm: 'int',
    agc: 'int',
    compute_feat: 'void *',
    cmn: 'void *',
  })
  const normalisation = struct({
    mean: 'void *',
    variance: 'void *',
    sum: 'void *',
    frames: 'int',
    length: 'int',
  })
  return {
    readFeatures: (pointer: unknown) => decode(pointer, features) as { cmn: unknown },
    readNormalisation: (pointer: unknown) => decode(pointer, normalisation) as Normalisation,
    writeNormalisation: (pointer: unknown, value: Normalisation) =>
      encode(pointer, normalisation, value),
    readFloats: (pointer: unknown, length: number): number[] =>
      Array.from(decode(pointer, array('float', length)) as Float32Array),
    writeFloats: (pointer: unknown, values: readonly number[]) =>
      encode(pointer, array('float', values.length), values),
  }
}
