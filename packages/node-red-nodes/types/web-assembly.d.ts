/** Node.js has it, but its types leave it to those of the browser. The local service uses it. */
declare namespace WebAssembly {
  interface Memory {
    buffer: ArrayBuffer
  }
  interface Table {
    grow(by: number): number
    set(index: number, value: ExportValue): void
  }
  interface Module {
    readonly kind?: 'module'
  }
  type ExportValue = unknown
  type ModuleImports = Record<string, ExportValue>
  type Imports = Record<string, ModuleImports>
  interface Instance {
    exports: ModuleImports
  }
  const Module: new (code: Uint8Array) => Module
  const Instance: new (module: Module, imports: Imports) => Instance
  function instantiate(module: Module, imports: Imports): Promise<Instance>
}
