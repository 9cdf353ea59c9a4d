// The types that all scripts share; payloads.d.ts has those of what Python sends.

export type * from "./payloads.js";

export type Mode = "light" | "dark";
export type Palette = Record<string, string>;

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

/** A picture on the page: its element, the data it draws, and whatever else its script remembers. */
export interface Picture<Data = any> {
  element: HTMLElement;
  data: Data;
  values: Values;
  [remembered: string]: any;
}
