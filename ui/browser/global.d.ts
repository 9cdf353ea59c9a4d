// The one global of ours: where the library and the components' stubs meet (ui/components.py).

declare global {
  var lmlLibrary: PromiseWithResolvers<{ draw(name: string, component: object): unknown }> | undefined;
}

export {};
