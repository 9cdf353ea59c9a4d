// What ui/components.py serves as registry.js: the default export of each component's script.

import type { Component, Scripts, Stop } from "../../drawing/types.js";

export const components: { [Name in keyof Scripts]: (component: Component<Scripts[Name]>) => Stop | void };
