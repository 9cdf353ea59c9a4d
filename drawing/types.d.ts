// The types that all scripts share; payloads.d.ts has those of what Python sends.

import type { NumberName, Numbers } from "./payloads.js";

export type * from "./payloads.js";

export type Mode = "light" | "dark";
export type Palette = Record<string, string>;

/** Attributes of an element by their names. */
export type Attributes = Record<string, string | number | boolean>;

/** The same, of which those that are undefined or null are left out. */
export type SomeAttributes = Record<string, string | number | boolean | null | undefined>;

/** What Streamlit hands to a component, with the data unpacked. */
export interface Component<Data> {
  data: Data;
  parentElement: ShadowRoot;
  setTriggerValue(name: string, value: unknown): void;
}

/** Ends what a component listens to, when its element goes. */
export type Stop = () => void;

/** Looks up the number of that name in the frame that is shown. */
export type Values = (name: string) => number;

/** The name of a number of a main picture: one that its script declares, or one that came in its data. */
export type NameOf<Script extends keyof Numbers> = Numbers[Script] | NumberName;

/** A picture on the page: its element, the data it draws, and what else its script remembers. */
export type Picture<Data, Remembered = {}> = { element: HTMLElement; data: Data; values: Values } & Remembered;
