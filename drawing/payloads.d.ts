// What pictures send to their scripts, and hear from them. Written by `make payloads`,
// from types in Python; a test fails where it is not what they say.

declare const number: unique symbol;

/** The name of a number, taken from a payload. */
export type NumberName = string & { readonly [number]: true };

export interface AreasPayload {
  before: string[];
  word: string;
  beside: string;
  dimensions: number;
  units: number;
  negatives: number;
  types: number;
}

export interface AskedOrOpened {
  query?: number;
  cell?: string;
}

export interface AttentionFlowPayload {
  tokens: string[];
  query: number;
  closed: boolean[];
  products: string[];
  shown: [number, number];
  whole: [number, number];
  best: number;
  second: number;
  marked: NumberName;
  mask: string;
  scaled: boolean;
  tempered: boolean;
}

export interface AttentionPayload {
  mode: "query" | "matrix";
  tokens: string[];
  query: number;
  cell: string;
  blocks: MatrixBlock[];
  signed: [string[], string[]];
  probability: [string[], string[]];
  lines: Line[];
  alt: string;
}

export interface BackPayload {
  words: string[];
}

export interface BarsPayload {
  ours: string;
  exact: string;
  both: string;
  own: string;
}

export interface BeamPayload {
  b_parent: Float64Array;
  b_step: Float64Array;
  b_total: Float64Array;
  b_greedy: Float64Array;
  tokens: string[];
  outcomes: number[];
  outcome_names: string[];
  reasons: string[];
  beginnings: Record<string, string>;
  width: number;
  at: number;
  steps: number;
  greedy: string[];
  ended: EndedPayload[];
}

export interface BenefitDot {
  word: string;
  cosine: number;
  alike: boolean;
}

export interface BenefitPanel {
  title: string;
  key: string;
  never: boolean;
}

export interface BenefitsPayload {
  stage: string;
  ends: string[];
  words: string[];
  panels: BenefitPanel[];
  named: NumberName;
  dots: BenefitDot[];
  nearest: string;
  xTitle: string;
}

export interface BesideRow {
  beside: number;
}

export interface BlameInput {
  name: NumberName;
  label: string;
}

export interface BlamePayload {
  stage: string;
  inputs: BlameInput[];
  units: BlameUnit[];
  out: NumberName;
  outLabel: string;
  blame: NumberName;
  blameLabel: string;
  target: NumberName;
  targetLabel: string;
  gapLabel: string;
  sharesLabel: string;
  slopesLabel: string;
}

export interface BlameUnit {
  sum: NumberName;
  out: NumberName;
  slope: NumberName;
  weight: NumberName;
  blame: NumberName;
  weights: NumberName[];
  slopes: NumberName[];
  handle: NumberName;
}

export interface BranchPayload {
  title: string;
  chips: TokenChip[];
  said: string;
}

export interface CardPayload {
  number: number;
  heading: string;
  view: string;
  path: string;
  still: string;
  part: boolean;
  nothing: string;
  missing: string;
}

export interface CellPress {
  unit: number;
}

export interface CellReadsPayload {
  text: string;
  values: Float64Array;
  labels: Float64Array;
  centre: number;
  reach: number;
  label: string;
  symbol: string;
  spans: boolean;
  bars: number[];
  others: Float64Array;
  chance: number;
}

export interface ChainLink {
  said: string;
  letters: string;
  slope: NumberName;
  handle: NumberName;
}

export interface ChainNode {
  name: string;
  letters: string;
  numbers: string;
  value: NumberName;
  role: string;
  move: NumberName;
}

export interface ChainPayload {
  ways: ChainWay[];
  each: boolean;
  seen: number;
  loss: string;
}

export interface ChainWay {
  leaf: string;
  nodes: ChainNode[];
  links: ChainLink[];
  start: NumberName;
  gradient: NumberName;
}

export interface CheckPayload {
  id: string;
  path: string;
  about: string;
}

export interface Chip {
  text: string;
  kind: string;
  below: string;
}

export interface ChipRow {
  title: string;
  said: string;
  chips: Chip[];
}

export interface ChipsPayload {
  views: ChipRow[][];
  pick: string;
}

export interface ChosenPair {
  row: number;
}

export interface ChosenVersion {
  other: boolean;
}

export interface ClassifierPanel {
  title: string;
  weights: number[][][];
  p: NumberName;
  without: NumberName;
  right: NumberName;
}

export interface ClassifiersPayload {
  shows: "features" | "classifiers";
  words: ReviewWord[];
  features: string[];
  short: string[];
  flags: number[];
  negated: boolean;
  turns: boolean;
  panels: ClassifierPanel[];
}

export interface ClozePayload {
  words: string[];
  covered: number[];
  pressable: number[];
  at: string;
  several: boolean;
  left: boolean;
  asked: boolean;
  gaps: GapPayload[];
  bars: BarsPayload;
  marked: NumberName;
}

export interface CodeColumn {
  title: string;
  lines: string[];
  parts: CodePart[];
}

export interface CodeFaultsPayload {
  lines: string[];
  spots: CodeSpot[];
}

export interface CodeLine {
  text: string;
  phase: string;
}

export interface CodePart {
  line: number;
  start: number;
  end: number;
}

export interface CodeSpot {
  line: number;
  start: number;
  end: number;
  put: string;
  was: string;
  stops: number;
  kind: string;
  head: string;
  says: string;
  right: string;
  of: string;
}

export interface ComparedPlaces {
  chosen?: number;
  reference?: number;
}

export interface ContextualPayload {
  word: string;
  glosses: string[];
  model: string;
  texts: OccurrenceText[];
  points: Uint8Array;
  cosines: Uint8Array;
  within: Float64Array;
  between: Float64Array;
  accuracy: Float64Array;
  share: Float64Array;
}

export interface CorruptionPayload {
  tokens: string[];
  maskable: number[] | Float64Array;
  outcomes: string[];
  standing: string[];
  drawn: string[];
  has_model: boolean;
  chance: Float64Array;
  way: Float64Array;
  titles: string[];
  brief: string[];
  by_hand: string[];
  sliders: string[];
}

export interface CrossMoves {
  step: number;
}

export interface CrossPayload {
  source: string[];
  read: string[];
  written: string[];
  largest: number[];
  step: number;
}

export interface CurveData {
  name: string;
  mean: Float64Array;
  low: Float64Array;
  high: Float64Array;
}

export interface DeckPayload {
  short: string;
  path: string;
  chosen: boolean;
}

export interface DeepChain {
  layer: number;
  backwards: boolean;
  shown: boolean;
  states: Float64Array;
}

export interface DeepPayload {
  words: string[];
  chains: DeepChain[];
  units: number;
  both: boolean;
  scale: string[];
}

export interface DemosPayload {
  columns: CodeColumn[];
  x: Float64Array;
  y: Float64Array;
}

export interface DescentMoves {
  step?: number;
  start?: [number, number];
  points?: [number, number][];
}

export interface DescentPayload {
  surface: "regression" | "network" | "saddle" | "unit";
  cross: boolean;
  axes: string[];
  x: Float64Array;
  y: Float64Array;
  start: Float64Array;
  labels: string[];
  rules: string[];
  rates: Float64Array;
  shares: Float64Array;
  weights: Uint8Array;
  drawn: number;
  paths: Uint8Array;
  steps: number;
  grid: Uint8Array;
  side: number;
  center: Float64Array;
  half: number;
  reach: number;
  bend: number;
  logarithmic: boolean;
  window: [number, number, number, number];
  limits: [number, number, number, number];
  plane: Float64Array;
  scale: string[];
}

export interface Door {
  page: string;
  address: string;
}

export interface DriftPayload {
  words: string[];
  vocabulary: string[];
  groups: string[];
  group: number[];
  steps: number[];
  losses: Float64Array;
  points: Float64Array;
  share: Float64Array;
  near: Float64Array;
  count: number;
  cosines: Float64Array;
  at: number;
  word: string;
}

export interface ElmanPayload {
  steps: number;
  alt: string;
}

export interface EmbeddingTable {
  shades: Uint8Array;
  rows: number;
  columns: number;
}

export interface EndedPayload {
  text: string;
  branch: number;
  step: number;
  total: number;
  length: number;
  kept: boolean;
  greedy: boolean;
}

export interface ExpectedPayload {
  word: string;
  slot: NumberName;
}

export interface Fan {
  word: string;
  phrases: string[];
  sentences: string[];
  cosine: NumberName;
  same: NumberName;
  angle: NumberName;
}

export interface FansPayload {
  fans: Fan[];
  persons: string[];
  same: string;
  widest: number[];
  layers: number;
}

export interface FatesOrder {
  order: string;
}

export interface FatesPayload {
  types: string[];
  exact: Uint8Array;
  ids: Uint8Array;
  stamp: string;
  example: number;
  by_count: boolean;
  sliders: string[];
}

export interface FeedforwardHeads {
  table: string;
  side: string;
  weights: string;
  before: string;
  hidden: string;
  output: string;
  logits: string;
  bend: string;
}

export interface FeedforwardPayload {
  words: string[];
  ids: Float64Array;
  window_words: string[][];
  sizes: FeedforwardSizes;
  table: EmbeddingTable;
  strips: Record<"concatenated" | "pre_activation" | "hidden" | "logits" | "chances", VectorStrip>;
  best: string[][];
  best_ids: Float64Array;
  lines: TermLines;
  heads: FeedforwardHeads;
  scale: string[];
  shares: string[];
}

export interface FeedforwardSizes {
  context: number;
  width: number;
  hidden: number;
  types: number;
}

export interface FillerPayload {
  word: string;
  q: NumberName;
  p: NumberName;
  both: NumberName;
  own: boolean;
}

export interface FindPayload {
  look: "button" | "field" | "none";
}

export interface FirstVectorPayload {
  lines: string[];
  missing: number;
  tokens: string[];
  vectors: Float64Array;
  shown: number;
  width: number;
}

export interface FlowTensor {
  stage: string;
  rows: number;
  columns: number;
  start: number;
}

export interface FlowWords {
  words: string[][];
  ids: Float64Array;
  logits: Float64Array;
  chances: Float64Array;
  count: number;
}

export interface Followed {
  query: number;
}

export interface FollowedKey {
  key: number;
}

export interface FormulaPayload {
  terms: TermPayload[];
  symbol: string;
  yTitle: string;
  reach: number;
  ticks: number[];
  low: number;
  high: number;
  levels: number[];
  flat: [number, number][];
  curve: [number, number][];
  bends: string;
  gate: string;
  corners: [number, number, number][];
  scale: string[];
  shadeLow: number;
  shadeHigh: number;
  to: "symbols" | "sum" | "bend";
}

export interface FoundPayload {
  question: string[];
  ways: WayData[];
}

export interface FrozenPayload {
  words: string[];
  groups: string[];
  groupOf: number[];
  steps: number[];
  losses: Float64Array;
  chosen: number;
}

export interface FrozenWord {
  word: string;
}

export interface GainCurve {
  name: "plain" | "all_paths" | "along_cell" | "power";
  label: string;
  brief: string;
  role: string;
  dash: string | null;
  thin: boolean;
  part: string;
}

export interface GainRow {
  stage: number;
  task: number;
}

export interface GamePayload {
  title: string;
  words: string[];
  place: number;
  revealed: boolean;
  choices: string[];
  options: OptionPayload[];
  bars: BarsPayload;
  marked: NumberName;
  here: number;
  reach: number;
  states: string[];
  next: string;
  players: PlayerPayload[];
}

export interface GapPayload {
  place: number;
  fillers: FillerPayload[];
  notes: [string, NumberName][];
}

export interface GoalSlidePayload {
  id: string;
  text: string;
  path: string;
  still: string;
}

export interface GoalsPayload {
  objectives: ObjectivePayload[];
  slides: GoalSlidePayload[];
}

export interface GraphEdge {
  from: number;
  to: number;
  position: number;
  twin: boolean;
  bends: [number, number][];
  local: string;
  upstream: string;
  passed: string;
  size: NumberName;
}

export interface GraphNode {
  id: number;
  place: [number, number];
  name: string;
  formula: string;
  leaf: boolean;
  shape: string;
  value: string;
  gradient: string;
  slope: string;
  whole: string;
  sizes: NumberName[];
  handle: NumberName;
}

export interface GraphPayload {
  nodes: GraphNode[];
  edges: GraphEdge[];
  steps: GraphStep[];
  result: number;
  step: number;
}

export interface GraphStep {
  kind: "forward" | "backward";
  nodes: number[];
  edges: [number, number][];
}

export interface GridEnd {
  name: string;
  texts: string[];
}

export interface HeadOrPair {
  of: string;
  layer?: number;
  head?: number;
  at?: [number, number];
  query?: number;
  key?: number;
}

export interface HeadPress {
  head: number;
}

export interface HeadsPayload {
  of: string;
  tokens: string[];
  special: boolean[];
  segments: number[];
  layers: number;
  heads: number;
  d_k: number;
  query: number;
  key: number;
  numbers: Float64Array;
  exact: Uint8Array;
  other: string;
  hides: boolean;
  between: string;
  faint: boolean;
  scale: string[];
  inks: string[];
  model: string;
}

export interface HeatStrip {
  letter: "e" | "h";
  word: string;
  values: Float64Array;
  shown: number;
  size: number;
  reach: number;
}

export interface HomePicture {
  prompt: string;
  words: string[];
  sequels: string[];
  shown: number;
}

export interface HopPayload {
  letters: string[];
  distances: number[];
  steps: number;
  rnnSteps: number;
}

export interface InUsePayload {
  models: string[];
  uses: UseData[];
}

export interface IndexPayload {
  decks: DeckPayload[];
  deck: string;
  title: string;
  at: number;
  sections: SectionPayload[];
}

export interface InputRowsPayload {
  tokens: string[];
  ids: number[];
  letters: string[];
  special: number[];
  words: SpanOfWord[];
  tables: TableRows[];
  values: Float64Array;
  shown: number;
  wide: number;
  reach: number;
  fills: string[];
  at: number;
}

export interface InputsPayload {
  tokens: string[];
  ids: number[];
  segments: number[];
  rows: [NumberName, string, string][];
  values: Float64Array;
  shown: number;
  wide: number;
  reach: number;
  fills: string[];
  at: number;
}

export interface JoinedMoves {
  query?: number;
  head?: number;
}

export interface JoinedPayload {
  tokens: string[];
  query: number;
  most: number[];
  cut: number[];
  wide: number;
  matrix: Uint8Array;
  reach: [number, number];
  signed: string[];
}

export interface Judged {
  place: number;
  word: string;
  p: NumberName;
  rank: NumberName;
  cost: NumberName;
  rivals: Rival[];
}

export interface JudgedPayload {
  judgements: JudgementData[];
}

export interface JudgementData {
  name: string;
  field: string;
  asks: string;
  first: string;
  second: string;
  answer: string;
  of: string;
  beside: string;
}

export interface KeptPayload {
  of: string;
  key: string;
  kept: Uint8Array;
}

export interface KeysPayload {
  mode: string;
  beat: number;
  last: number;
  steps: number[];
  asked: string;
  verdict: "" | "right" | "wrong";
  answered: number;
}

export interface KindData {
  kind: string;
  name: string;
  strips: number[][];
}

export interface LSTMPayload {
  named: NumberName[];
  farSteps: number;
  word: string;
}

export interface LadderPress {
  word: string;
}

export interface LaddersPayload {
  word: string;
  methods: string[];
  rungs: Rung[][];
  best: number;
}

export interface LanePayload {
  name: string;
  label: string;
  note: string;
  truth: boolean;
  expected: ExpectedPayload[];
}

export interface LanesPayload {
  words: string[];
  here: number;
  chosen: number;
  lanes: LanePayload[];
}

export interface LanguageData {
  key: string;
  label: string;
  sentence: string;
  words: string[][];
}

export interface LanguagesPayload {
  languages: LanguageData[];
}

export interface LayerChoicesPayload {
  ways: LayerWay[];
  depth: number;
  axes: ScoreAxisData[];
}

export interface LayerWay {
  name: string;
  layers: number[];
  ends: boolean;
  size: string;
}

export interface LayerWayPress {
  way: number;
}

export interface LeadRow {
  key: string;
  label: string;
  names: string[];
  scores: number[];
  best: number;
  other: number;
}

export interface LeadsPayload {
  rows: LeadRow[];
  system: string;
  version: string;
  otherVersion: string;
  source: string;
}

export interface LeakPayload {
  tokens: string[];
  depths: number;
  blank: boolean;
  every: Float64Array;
  marks: ("before" | "after" | "own")[];
  variants: number;
}

export interface LecturePayload {
  title: string;
  short: string;
  index: string;
  presenting: boolean;
  at: number;
  heading: string;
  notes: string;
  says: string[];
  onward: string;
  back: string;
  next: number;
  slides: SlidePayload[];
  hide: boolean;
  own: boolean;
}

export interface LettersPayload {
  text: string;
  values: Float64Array;
  said: string[];
  reach: number;
  name: string;
  alt: string;
}

export interface Line {
  role: string;
  text: string;
}

export interface LongestPayload {
  word: string[];
  matches: [[number, number, number][], string[]][];
  at: number;
}

export interface LossesPayload {
  tokens: string[];
  maskable: number[] | Float64Array;
  outcomes: string[];
  standing: string[];
  drawn: string[];
  has_model: boolean;
}

export interface MarkPayload {
  year: number;
  label: string;
  kind: string;
}

export interface MaskPanel {
  title: string;
  keys: string[];
  number: "s" | "w" | "o";
  mask: "m" | "x";
  paints: boolean;
}

export interface MaskedLossPayload {
  words: string[];
  special: number[];
  pressable: number[];
  swapped: number[];
  judged: Judged[];
  vectors: Float64Array;
  cells: number;
  reach: number;
  fills: string[];
  stage: string;
  asked: boolean;
  costly: NumberName;
  types: string;
  model: string;
}

export interface MaskingPayload {
  queries: string[];
  at: number;
  name: string;
  text: string;
  panels: MaskPanel[];
  watched: number[][];
  share: "ahead" | "given" | "kept";
  shareTitle: string;
  marks: NumberName[];
  compares: boolean;
  own: boolean;
}

export interface MatricesPayload {
  tokens: string[];
  query: number;
  stage: "qkv" | "z";
  wide: [number, number, number];
  closed: boolean[][];
  best: number;
  parts: boolean;
  divided: string;
  marked: NumberName;
  moves: boolean;
}

export interface MatrixBlock {
  key: string;
  title: string;
  sub: string;
  role: string;
  rows: [NumberName, string, string][][];
  heads: string[];
  top: [NumberName, string, string][][];
  foot: [NumberName, string, string][][];
  kind: "signed" | "probability";
  reach: number;
  bar: boolean;
  moves: boolean;
}

export interface MissingPayload {
  tests: string[];
  abouts: string[];
  before: number[];
  after: number[];
  gains: number[];
  shares: number[];
  source: string;
}

export interface MixPayload {
  task: string;
  shares: Float64Array;
  accuracies: Float64Array;
  learned: Float64Array;
  word: string;
  layers: Float64Array;
  cells: number;
  colours: string[];
  words: number;
  alt: string;
}

export interface MixturesPayload {
  tasks: string[];
  asks: string[];
  word: string;
  units: number;
  states: Float64Array;
  scale: string[];
  learned: boolean;
  measured: boolean;
}

export interface MovedSlider {
  name: string;
  label: string;
  spoken: string;
  value: number;
  positions: Float64Array;
  help: string;
  role: string;
  heading: string;
  columns: number[];
  table: Float64Array;
}

export interface NamedGrid {
  columns: string[];
  labels: string[];
  texts: string[];
  fills: string[];
  inks: string[];
  here: [number, number] | null;
  ends: GridEnd[];
  alt: string;
  name: string;
}

export interface NearTo {
  word: string;
}

export interface NegationTurn {
  no: boolean;
}

export interface NetworkMoves {
  step?: number;
  x?: [number, number];
  weight?: number;
  value?: number | null;
  points?: [number, number, number][];
}

export interface NetworksPayload {
  sizes: number[];
  functions: string[];
  bounds: ([number, number] | null)[];
  symbols: string[];
  rows: Float64Array;
  gradients: Uint8Array;
  loss: Float64Array;
  validation: Float64Array;
  at: number;
  hand: Record<string, number>;
  weight: number;
  weightLabel: string;
  x: Float64Array;
  labels: Float64Array;
  held: Float64Array;
  low: number;
  high: number;
  data: string;
  flow: string;
  brush: string;
  passes: boolean;
  scale: string[];
  signed: string[];
}

export interface NeuronPayload {
  terms: TermPayload[];
  symbol: string;
  yTitle: string;
  reach: number;
  ticks: number[];
  low: number;
  high: number;
  levels: number[];
  flat: [number, number][];
  curve: [number, number][];
  bends: string;
  gate: string;
  corners: [number, number, number][];
  scale: string[];
  shadeLow: number;
  shadeHigh: number;
}

export interface NoiseCell {
  text: string;
  at: number;
  wide: number;
  kind: string;
  part: number;
}

export interface NoiseWay {
  name: string;
  title: string;
  cells: NoiseCell[];
  restored: number[];
  parts: number[];
}

export interface NoisesPayload {
  tokens: string[];
  ways: NoiseWay[];
}

export interface NumberTerm {
  label: string;
  left: string;
  right: string;
  product: string;
  share: number;
}

export interface ObjectivePayload {
  id: string;
  text: string;
  checks: CheckPayload[];
  pages: PagePayload[];
}

export interface OccurrenceText {
  words: string[];
  at: number;
  sense: number;
}

export interface OfPagePayload {
  short: string;
  slides: SlidePayload[];
}

export interface OnePromptPayload {
  lines: string[][];
  gap: string;
  answer: string;
  candidates: string[];
  shots: number;
  models: PromptModel[];
  computed: boolean;
}

export interface OpenNumber {
  stage: string;
  row: number;
  column: number;
  title: string;
  rule: string;
  heads: string[];
  terms: NumberTerm[];
  rest: string;
  further: string[];
  text: string;
  formula: string[];
}

export interface OpenedLayer {
  layer: number;
}

export interface OpenedUnit {
  unit: number;
}

export interface OptionPayload {
  word: string;
  q: NumberName;
  p: NumberName;
  both: NumberName;
  own: boolean;
  tag: string;
}

export interface OutcomesByHand {
  hand: string;
}

export interface OwnPayload {
  decks: DeckPayload[];
}

export interface PackedPayload {
  tokens: string[];
  owners: number[];
  across: number[][][];
  alone: number[][][];
  titles: string[];
  special: string[];
}

export interface PagePayload {
  title: string;
  path: string;
}

export interface PaintedMask {
  name: "painted";
  value: string;
}

export interface PairHeadPayload {
  first: string;
  choices: string[];
  chosen: number;
  labels: string[];
  rows: Float64Array;
  right: number;
}

export interface PairPayload {
  titles: string[];
  first: string[];
  second: string[];
  labels: string[];
  says: string[];
  truth: string;
  marked: NumberName;
}

export interface PaperPayload {
  labels: string[];
  seen: number;
  read: number;
  written: string;
  source: string;
}

export interface PaperPut {
  on: boolean;
}

export interface Part {
  name: string;
  data: string;
  shown: boolean;
}

export interface PartData {
  name: string;
  weights: number;
}

export interface PassageData {
  words: string[];
  shared: number[];
  both: boolean;
}

export interface PathPayload {
  pages: string[];
}

export interface PipelinePayload {
  rows: GainRow[];
  stages: string[];
  tasks: string[];
  asks: string[];
  model: string;
  layers: number;
  most: number;
}

export interface PlacePress {
  place: "none" | "input" | "output" | "both";
}

export interface PlayerPayload {
  name: string;
  points: NumberName;
  hits: string;
}

export interface PooledPayload {
  shows: "joined" | "orders";
  reviews: string[][];
  labels: string[];
  rows: PooledRow[];
  units: number[][];
  output: number[];
  width: number;
  length: number;
  most: number;
  scale: [string[], string[]];
}

export interface PooledRow {
  title: string;
  inputs: number[][];
  right: boolean[];
  positive: boolean[];
}

export interface PositionsPayload {
  words: string[];
  order: number[];
  word: number;
  places: number;
  reach: number;
  marked: NumberName;
  causal: boolean;
  pair: number;
}

export interface PressedCell {
  row: string;
  column: string;
}

export interface PressedQuery {
  name: "query";
  value: number;
}

export interface PressedStart {
  start: boolean;
}

export interface PressedStrategy {
  lane?: string;
  promote?: string;
}

export interface PrintedQuestion {
  ask: string;
  options: string[];
  hides: string[];
  answer: string;
  because: string;
}

export interface PrintedView {
  page: string;
  see: string;
  still: string;
  parts: Part[];
  questions: PrintedQuestion[];
}

export interface ProbedTask {
  task: string;
}

export interface PromptModel {
  name: string;
  recorded: ShotsData[];
}

export interface QueryKeysPayload {
  tokens: string[];
  head: string;
  place: number;
  key: number;
  q: Float64Array;
  k: Float64Array;
  products: Float64Array;
  scores: Float64Array;
  scaled: Float64Array;
  hidden: boolean[];
  weights: Float64Array;
  reach: number[];
  scale: string[];
}

export interface QuotedPayload {
  name: string;
  caption: string;
  columns: string[];
  below: string[];
  rows: string[][];
  marks: string[][];
  sorts: boolean;
  sorted: number;
}

export interface RankingPayload {
  columns: string[];
  helps: string[];
  labels: string[];
  heads: string[];
  numbers: Float64Array;
  here: string;
  by: number;
  down: boolean;
  name: string;
  caption: string;
}

export interface ReachPayload {
  words: string[];
  at: number;
  models: string[];
  hows: string[];
  left: Float64Array;
  right: Float64Array;
  gpt: Float64Array;
  bert: Float64Array;
  alt: string;
}

export interface ReaderData {
  model: string;
  reads: string;
  sequences: SequenceToken[][];
}

export interface ReaderPayload {
  part: string;
  label: string;
  sees: number[];
  ordered: boolean;
  exact: boolean;
  q: NumberName;
  best: NumberName;
  guess: string;
  right: boolean;
}

export interface ReadersPayload {
  words: string[];
  pressable: number[];
  place: number;
  rows: ReaderPayload[];
  marked: NumberName;
}

export interface RecallLine {
  name: NumberName;
  label: string;
  role: string;
  dash: string | null;
  far: number[];
  mean: number[];
  seeds: number[][];
  said: string;
}

export interface RecallPanel {
  title: string;
  ticks: number[];
  edge: number;
  edgeSaid: string;
  lines: RecallLine[];
}

export interface RecallPayload {
  panels: RecallPanel[];
  chance: number;
  chanceSaid: string;
  xTitle: string;
  named: string;
}

export interface RecordedCurve {
  label: string;
  uniform: number;
  truth: number | null;
  evaluations: ([number, number | null])[];
}

export interface RecordedData {
  weight: number;
  mean: number;
  low: number;
  high: number;
}

export interface RecordedRun {
  label: string;
  steps: number;
  why: string;
  batches: ([number, number | null])[];
  evaluations: ([number, number | null])[];
  samples: [number, string][];
}

export interface RelationRow {
  name: string;
  title: string;
  role: string;
  prefix: string;
  right: string;
  wrong: string;
  needs: string[];
  bars: NumberName[];
}

export interface RelationsPayload {
  rows: RelationRow[];
  heads: string[];
  muted: string;
  named: NumberName | null;
  chance: number;
  items: number;
  layers: number[];
}

export interface ReorderedPayload {
  tokens: string[];
  gap: number;
  readers: string[];
  guesses: string[];
}

export interface ResultsPayload {
  form: "scatter" | "bars" | "tasks";
  labels: string[];
  shorts: string[];
  families: number[];
  familyNames: string[];
  order: number[];
  xs: Float64Array;
  ys: Float64Array;
  printed: string[];
  tasks: string[];
  below: string[];
  gaps: string[];
  xLabel: string;
  yLabel: string;
  xLog: boolean;
  yLog: boolean;
  xBetter: "high" | "low";
  yBetter: "high" | "low";
  frontier: number[];
  chosen: number;
  reference: number;
  note: string;
  source: string;
}

export interface ReviewWord {
  text: string;
  feature: number;
  negation: boolean;
  out: boolean;
}

export interface Rival {
  word: string;
  p: NumberName;
}

export interface RiverPayload {
  kind: string;
  name: string;
  joins: number | null;
}

export interface RiversPayload {
  marks: MarkPayload[];
  rivers: RiverPayload[];
}

export interface RolePartData {
  name: string;
  short: string;
  says: string;
  weights: string;
  roles: string[];
}

export interface RolesPayload {
  uses: string[];
  parts: RolePartData[];
}

export interface Ruler {
  name: string;
  formula: string;
  low: number;
  high: number;
}

export interface RulersPayload {
  tokens: string[];
  pair: [number, number];
  rulers: Ruler[];
  soft: boolean;
  marked: NumberName;
  disagreed: NumberName;
}

export interface RunData {
  head: string;
  reads: string[];
  note: string;
  gives: string;
}

export interface RunLabel {
  name: string;
  label: string;
  mine: boolean;
}

export interface RunMessage {
  state: string;
  why: string;
  step?: number;
  steps?: number;
  place?: number;
  rate?: number;
  device?: string;
  followers?: number;
  parameters?: number;
  uniform?: number;
  truth?: number | null;
  since?: [number, number, number];
  losses?: (number | null)[];
  norms?: (number | null)[];
  evaluations?: ([number, number | null, ([string, number | null])[], number | null])[];
  samples?: [number, string][];
}

export interface Rung {
  word: string;
  right: boolean;
  known: boolean;
}

export interface RunsPayload {
  runs: RunLabel[];
  recorded: RecordedCurve[];
}

export interface SavePayload {
  container: string;
  name: string;
}

export interface SaverPayload {
  name: string;
}

export interface ScalePayload {
  labels: string[];
  shorts: string[];
  printed: string[];
  lbs: number[];
  trains: boolean[];
  low: number;
  high: number;
  factor: number;
  months: number;
  source: string;
}

export interface ScoreAxisData {
  title: string;
  measure: string;
  broken: boolean;
  best: number;
}

export interface SectionPayload {
  title: string;
  taught: number;
  live: number;
  slides: CardPayload[];
}

export interface SenseSentence {
  before: string;
  word: string;
  after: string;
  gloss: string;
  name: string;
}

export interface SensesPayload {
  word: string;
  senses: SenseSentence[];
  width: number;
  points: number[];
  static: string;
  plane: string;
}

export interface Seq2SeqPayload {
  source: string[];
  target: string[];
  width: number;
  states: Uint8Array;
  decoder: Uint8Array;
  contexts: Uint8Array;
  weights: Float64Array;
  attention: WrittenWords;
  instead: string[][];
  insteadProbabilities: Float64Array;
  forced: number[];
  vector: WrittenWords;
  vectorState: Uint8Array;
  vectorWidth: number;
  signed: string[];
}

export interface SequenceToken {
  text: string;
  part: number;
  read: boolean;
}

export interface SequencesPayload {
  shown: string;
  kinds: KindData[];
  readers: ReaderData[];
}

export interface SetupData {
  title: string;
  tasks: string[];
  reads: string;
  answers: string;
  kinds: number[];
  read: number[];
}

export interface SetupsPayload {
  setups: SetupData[];
  task: string;
  alt: string;
}

export interface SharesPayload {
  classes: string[];
  most: number;
  marks: boolean;
  named: number[];
}

export interface ShiftedMoves {
  step: number;
}

export interface ShiftedPayload {
  target: string[];
  written: string[];
  start: string;
  model: string;
}

export interface ShotsData {
  shots: number;
  mean: number;
  low: number;
  high: number;
}

export interface Shown {
  group: string;
  names: string[];
  now: Float64Array;
}

export interface SidesPayload {
  words: string[];
  special: number[];
  place: number;
  pressable: number[];
  after: number;
  left: FillerPayload[];
  right: FillerPayload[];
  titles: string[];
  own: string;
  asked: boolean;
  blocks: number;
  model: string;
}

export interface SizesPayload {
  models: string[];
  printed: string[];
  sizes: number[];
  months: number[];
  released: string[];
  scores: number[];
  perplexities: string[];
  best: number;
  bestSaid: string;
  test: string;
  held: boolean;
  year: number;
  source: string;
}

export interface SlideLinksPayload {
  lectures: OfPagePayload[];
}

export interface SlidePayload {
  number: number;
  heading: string;
  view: string;
  path: string;
  still: string;
  part: boolean;
}

export interface SlideTreePayload {
  texts: string[];
  words: string[];
  start: string;
  width: number;
}

export interface SlidersPayload {
  group: string;
  names: string[];
  now: Float64Array;
  sliders: MovedSlider[];
}

export interface SlopedCurve {
  name: string;
  role: string;
  chosen: boolean;
  label: [number, number];
  y: NumberName;
  slope: NumberName;
  outputs: number[];
  slopes: number[];
  dead: [number, number][];
}

export interface SlopesPayload {
  curves: SlopedCurve[];
  points: number[];
  reach: number;
  low: number;
  high: number;
  depth: number;
}

export interface SmallHeadPayload {
  shown: string;
  name: string;
  parts: PartData[];
  tokens: string[];
  read: number[];
  reads: string;
  letter: string;
  labels: string[];
  legend: string;
  head: number;
  weights: Float64Array;
  vectors: Float64Array;
  followed: number;
  right: number[];
  labelled: number;
  chance: number;
}

export interface SolvedPayload {
  x: Float64Array;
  y: Float64Array;
  window: [number, number, number, number];
  path: Float64Array;
  start: [number, number];
  shown: number;
  close: number;
}

export interface SortedTable {
  sort: number;
}

export interface SpanOfWord {
  text: string;
  first: number;
  last: number;
}

export interface StacksPayload {
  chosen: number;
}

export interface StageTexts {
  sentences: string[];
  moved: string;
  formula: string[][];
  alt: string;
  kind: string;
  light: string[];
  hidden: string[];
  glossary: Record<string, string>;
}

export interface StaircasePayload {
  products: string[];
}

export interface StepPayload {
  ids: number[];
  labels: string[];
  ranks: number[];
  names: string[];
  p: Float64Array;
  cut: number[];
  why: string[];
  low: Float64Array;
  high: Float64Array;
  others: number;
  otherP: Float64Array;
  left: number[];
  uniform: number | null;
  free: number;
  chosen: number;
  forced: boolean;
  end: string;
}

export interface StepRow {
  name: string;
  formula: string;
  value: string;
  symbol: string;
  role: string;
  shape: string;
  operands: [string, string][];
}

export interface SteppingMove {
  at?: number;
  branch?: number;
  drop?: number;
  force?: [number, number];
}

export interface SteppingPayload {
  prompt: string;
  branches: BranchPayload[];
  branch: number;
  at: number;
  steps: StepPayload[];
  stages: Record<string, string>;
  ends: Record<string, string>;
  seed: number;
}

export interface StepsPayload {
  group: string;
  names: string[];
  now: Float64Array;
  rows: StepRow[];
  caption: string;
}

export interface Stopped {
  step: number;
  phase: string;
  unit: number;
}

export interface StrategiesPayload {
  prompt: string;
  rows: string[];
  others: number;
  lanes: ("greedy" | "beam" | "walk" | "temperature" | "top_k" | "top_p" | "min_p" | "typical" | "repetition" | "together" | "drawn_beam")[];
  lane: "greedy" | "beam" | "walk" | "temperature" | "top_k" | "top_p" | "min_p" | "typical" | "repetition" | "together" | "drawn_beam" | "";
  strategies: StrategyText[];
  marked: NumberName;
  types: number;
  seed: number;
}

export interface StrategyText {
  name: "greedy" | "beam" | "walk" | "temperature" | "top_k" | "top_p" | "min_p" | "typical" | "repetition" | "together" | "drawn_beam";
  label: string;
  brief: string;
  how: string;
  beyond: boolean;
  takes: NumberName[];
  written: boolean;
  chips: TokenChip[];
  sums: number[];
  first: number;
  perplexity: string;
  same: string;
  differs: string;
  note: string;
  wrong: boolean;
}

export interface SumsPayload {
  tokens: string[];
  both: boolean;
}

export interface TablePayload {
  columns: string[];
  labels: string[];
  numbers: Float64Array;
  name: string;
  caption: string;
}

export interface TableRows {
  name: NumberName;
  symbol: string;
  role: string;
  rows: number;
}

export interface TaggerPayload {
  tasks: string[];
  asks: string[];
  place: "none" | "input" | "output" | "both";
  most: number;
  named: number;
}

export interface TaskPress {
  task: string;
}

export interface TermLines {
  unit: Float64Array;
  inputs: Float64Array;
  input_terms: Float64Array;
  units: Float64Array;
  unit_terms: Float64Array;
  count: number;
  unit_count: number;
}

export interface TermPayload {
  label: string;
  weightLabel: string;
  input: string;
  input_slot?: NumberName;
  weight: NumberName;
  product: NumberName;
  sum: NumberName;
  bias: boolean;
}

export interface TextPairsPayload {
  tokens: string[];
}

export interface TextWindow {
  words: string[];
  at: number;
  counts: Float64Array;
  before: boolean;
  after: boolean;
}

export interface TinyChoice {
  weight?: string;
  place?: number;
  sentence?: number;
}

export interface TinyGrid {
  name: string;
  symbol: string;
  kind: "weight" | "number" | "share";
  rows: number;
  columns: number;
  start: number;
}

export interface TinyPayload {
  tokens: string[];
  words: string[];
  right: number[];
  texts: string[];
  followed: number;
  place: number;
  grids: TinyGrid[];
  size: number;
  early: Uint8Array;
  late: Uint8Array;
  every: number;
  curve: Float64Array;
  floor: number;
  weight: string;
  at: number;
  positions: Float64Array;
  turned: Float64Array;
  swept: Uint8Array;
  edits: string[];
  signed: [string[], string[]];
  shares: [string[], string[]];
}

export interface TokenChip {
  text: string;
  p: number;
  fill: string;
  ink: string;
  forced: boolean;
  wrong: boolean;
}

export interface TowerPayload {
  name: string;
  printed: string;
}

export interface TowersPayload {
  towers: TowerPayload[];
  rows: number;
  wide: number;
  head: number;
}

export interface TrainingPayload {
  runs: RunLabel[];
  recorded: RecordedRun[];
  longest: number;
  types: number;
  uniform: number;
  truth: number | null;
  says: Record<string, number>;
  start: string;
  blocked: string;
  note: string[];
  rates: number[];
  passes: number[];
}

export interface TransferPayload {
  network: string;
  task: string;
  parts: PartData[];
  lost: string;
  labels: string[];
  head: number;
  tokens: string[];
  read: number[];
  answer: string;
  counts: Float64Array;
  depths: CurveData[];
  scratch: CurveData;
  best: number;
  best_low: number;
  best_high: number;
  best_name: string;
  chance: number;
  budget: string;
}

export interface TransformerMoves {
  zoom?: string;
  at?: string;
  token?: number;
}

export interface TransformerPayload {
  family: "gpt" | "bert" | "translation";
  model: string;
  source: string[];
  tokens: string[];
  masked: number[];
  layers: number;
  heads: number;
  width: number;
  pre: boolean;
  stages: string[];
  tensors: FlowTensor[];
  stream: Uint8Array;
  block: Uint8Array;
  words: FlowWords | null;
  zoom: string;
  number: OpenNumber | null;
  doors: Record<string, Door>;
  signed: string[];
  signedInks: string[];
  scale: string[];
  scaleInks: string[];
}

export interface TranslationMoves {
  step?: number;
  force?: [number, number];
  release?: boolean;
}

export interface TreePayload {
  words: TreeWord[];
  named: number;
  rivals: [string, string, string][][];
  most: number;
  by: "count" | "gain";
  counts: Float64Array;
  gains: Float64Array;
  curve: Float64Array;
  total: number;
}

export interface TreeWord {
  letters: string[];
  nodes: [string, number, number, number, number, number, number, number, number][];
  tops: [number, number[]][];
}

export interface TwoLossesPayload {
  tokens: string[];
  recorded: RecordedData[];
  labels: number;
}

export interface UnmaskedCurve {
  label: string;
  role: string;
  steps: Float64Array;
  losses: Float64Array;
  end: "with" | "without";
  possible: "possible" | "impossible";
  texts: string[];
}

export interface UnmaskedPayload {
  curves: UnmaskedCurve[];
  runs: RunLabel[];
  causal: boolean[];
  judged: boolean;
  steps: number;
  written: number;
  recorded: string;
  nothing: string;
}

export interface UnrolledPayload {
  words: string[];
  ids: number[];
  e: HeatStrip;
  h: HeatStrip;
  scale: string[];
  choices: string[][];
  chances: Float64Array;
  losses: Float64Array;
  code: CodeLine[];
  phases: string[];
  same: string[];
  table: Float64Array;
  unit: number;
}

export interface UseData {
  key: string;
  label: string;
  about: string;
  runs: RunData[];
}

export interface VanishPayload {
  curves: GainCurve[];
  references: [number, number][];
  steps: number;
  low: number;
  high: number;
  xTitle: string;
  yTitle: string;
  yShort: string;
  note: string;
  named: NumberName;
}

export interface VectorStrip {
  numbers: Float64Array;
  cells: number;
  whole: number;
  reach: number;
  name: string;
}

export interface VectorsMoves {
  step?: number;
  word?: string;
}

export interface VectorsPayload {
  words: string[];
  groups: string[];
  groupOf: Float64Array;
  points: Uint8Array;
  word: number;
  near: Float64Array;
  cosines: Float64Array;
  steps: Float64Array;
  losses: Float64Array;
  precision: Float64Array;
  judged: boolean;
  curve: string;
  axis: string;
  window: number;
  texts: TextWindow[];
  occurrences: number;
  share: number;
}

export interface WalkLine {
  before: string[];
  parts: WalkPart[];
  drawn: number;
  u: NumberName;
  p: NumberName;
}

export interface WalkPart {
  word: string;
  low: number;
  high: number;
}

export interface WalkPayload {
  shown: "line" | "draw" | "text";
  prompt: string;
  words: string[];
  partOf: number[];
  lines: WalkLine[];
  widest: number;
  others: number;
}

export interface WalkPress {
  show: string;
}

export interface WayData {
  name: string;
  how: string;
  passages: PassageData[];
}

export interface WeightsPayload {
  group: string;
  of: string;
  count: number;
  codes: Uint8Array;
}

export interface WordMatrixPayload {
  rows: string[];
  columns: string[];
  numbers: Float64Array;
  fills: string[];
  inks: string[];
  row: number;
  column: number;
  kind: string;
  caption: string;
}

export interface WordMoved {
  word: number;
}

export interface WordOrPair {
  word?: number;
  pair?: number;
}

export interface WordStep {
  word: string;
  loss: number;
  after: number;
  weight: string;
}

export interface WordStepsPayload {
  steps: WordStep[];
  reads: number;
  uniform: number;
  types: number;
  rate: number;
}

export interface WrittenWords {
  words: string[];
  right: boolean[];
  next: string[][];
  probabilities: Float64Array;
}

/** What each script gets, by its name. */
export interface Scripts {
  areas: AreasPayload & Shown;
  attention: AttentionPayload & Shown;
  back: BackPayload & Shown;
  beam: BeamPayload & Shown;
  benefits: BenefitsPayload & Shown;
  blame: BlamePayload & Shown;
  cell_reads: CellReadsPayload & Shown;
  cells: NamedGrid;
  chainrule: ChainPayload & Shown;
  chips: ChipsPayload & Shown;
  classifiers: ClassifiersPayload & Shown;
  cloze: ClozePayload & Shown;
  code_faults: CodeFaultsPayload & Shown;
  contextual: ContextualPayload & Shown;
  corruption: CorruptionPayload & Shown;
  cross: CrossPayload & Shown;
  deep: DeepPayload & Shown;
  demos: DemosPayload & Shown;
  descent: DescentPayload & Shown;
  drift: DriftPayload & Shown;
  elman: ElmanPayload & Shown;
  fans: FansPayload & Shown;
  fates: FatesPayload & Shown;
  feedforward: FeedforwardPayload & Shown;
  find: FindPayload;
  first_vector: FirstVectorPayload & Shown;
  flow: AttentionFlowPayload & Shown;
  formula: FormulaPayload & Shown;
  found: FoundPayload & Shown;
  frozen: FrozenPayload & Shown;
  game: GamePayload & Shown;
  generation: StrategiesPayload & Shown;
  goals: GoalsPayload;
  graph: GraphPayload & Shown;
  heads: HeadsPayload & Shown;
  home: HomePicture & Shown;
  hop: HopPayload & Shown;
  in_use: InUsePayload & Shown;
  input_rows: InputRowsPayload & Shown;
  inputs: InputsPayload & Shown;
  joined: JoinedPayload & Shown;
  judged: JudgedPayload & Shown;
  kept: KeptPayload;
  keys: KeysPayload;
  ladders: LaddersPayload & Shown;
  language_model: LanesPayload & Shown;
  languages: LanguagesPayload & Shown;
  layer_choices: LayerChoicesPayload & Shown;
  leads: LeadsPayload & Shown;
  leak: LeakPayload & Shown;
  lecture: LecturePayload;
  letters: LettersPayload & Shown;
  longest: LongestPayload & Shown;
  losses: LossesPayload & Shown;
  lstm: LSTMPayload & Shown;
  masked_loss: MaskedLossPayload & Shown;
  masking: MaskingPayload & Shown;
  matrices: MatricesPayload & Shown;
  missing: MissingPayload & Shown;
  mix: MixPayload & Shown;
  mixtures: MixturesPayload & Shown;
  needle: WalkPayload & Shown;
  networks: NetworksPayload & Shown;
  neuron: NeuronPayload & Shown;
  noises: NoisesPayload & Shown;
  one_prompt: OnePromptPayload & Shown;
  own: OwnPayload;
  packed: PackedPayload & Shown;
  pair: PairPayload & Shown;
  pair_head: PairHeadPayload & Shown;
  paper: PaperPayload & Shown;
  path: PathPayload & Shown;
  pipeline_order: PipelinePayload & Shown;
  pooled: PooledPayload & Shown;
  positions: PositionsPayload & Shown;
  qk: QueryKeysPayload & Shown;
  quoted: QuotedPayload & Shown;
  ranking: RankingPayload & Shown;
  reach: ReachPayload & Shown;
  readers: ReadersPayload & Shown;
  recall: RecallPayload & Shown;
  relations: RelationsPayload & Shown;
  reordered: ReorderedPayload & Shown;
  results: ResultsPayload & Shown;
  rivers: RiversPayload & Shown;
  roles: RolesPayload & Shown;
  rulers: RulersPayload & Shown;
  runs: RunsPayload;
  save: SavePayload;
  saver: SaverPayload;
  scale: ScalePayload & Shown;
  senses: SensesPayload & Shown;
  seq2seq: Seq2SeqPayload & Shown;
  sequences: SequencesPayload & Shown;
  setups: SetupsPayload & Shown;
  shares: SharesPayload & Shown;
  shifted: ShiftedPayload & Shown;
  sides: SidesPayload & Shown;
  sizes: SizesPayload & Shown;
  slidelinks: SlideLinksPayload;
  sliders: SlidersPayload;
  slides: IndexPayload;
  slidetree: SlideTreePayload & Shown;
  slopes: SlopesPayload & Shown;
  small_head: SmallHeadPayload & Shown;
  solved: SolvedPayload & Shown;
  stacks: StacksPayload & Shown;
  staircase: StaircasePayload & Shown;
  stepping: SteppingPayload & Shown;
  steps: StepsPayload;
  sums: SumsPayload & Shown;
  table: TablePayload;
  tagger: TaggerPayload & Shown;
  textpairs: TextPairsPayload & Shown;
  tiny: TinyPayload & Shown;
  tokens: TreePayload & Shown;
  towers: TowersPayload & Shown;
  training: TrainingPayload & Shown;
  transfer: TransferPayload & Shown;
  transformer: TransformerPayload & Shown;
  two_losses: TwoLossesPayload & Shown;
  unmasked: UnmaskedPayload & Shown;
  unrolled: UnrolledPayload & Shown;
  vanish: VanishPayload & Shown;
  vectors: VectorsPayload & Shown;
  weights: WeightsPayload & Shown;
  wordbyword: WordStepsPayload & Shown;
  wordmatrix: WordMatrixPayload & Shown;
}

/** The names of each picture's numbers; any text where its script declares none. */
export interface Numbers {
  areas: "types" | "hidden" | "scores" | "nnlm" | "thousands" | "inside" | "above" | "skip" | "ratio" | "pairs" | "token" | "@say";
  attention: string;
  back: "t" | "cut" | "kept" | "terms" | "first" | "last" | `n ${number}` | "@say";
  beam: "a" | `s${number}`;
  benefits: `count ${number} ${number}` | `net ${number} ${number}` | "pair" | "near" | "size";
  blame: `${string}`;
  cell_reads: "at" | "value" | "true" | "unit" | "follow" | "threshold" | "right" | "usual" | `follow ${number}`;
  chainrule: "nudge" | "reach" | `${string}`;
  chips: string;
  classifiers: `x${number}` | `w${number}` | `h${number}` | "words" | "one" | "two" | "one without" | "two without" | "one right" | "two right" | "total";
  cloze: "terms" | "loss" | "exact loss" | `q${number} ${string}` | `both${number} ${string}` | `p${number} ${string}` | `cost${number}` | `exact cost${number}` | `KL${number}` | "own";
  code_faults: "fault" | "stops" | "runs" | "missing" | `wrong ${number}` | `right ${number}` | `end ${string}` | "@say";
  contextual: "layer" | "within" | "between" | "accuracy" | "right" | "chance" | "count" | "@say";
  corruption: "chosen" | "masked" | "random" | "kept" | "corrupt_chosen" | "corrupt_masked" | "corrupt_random" | "upto" | "n" | "n_chosen" | "n_rest" | "n_masked" | "n_random" | "n_kept" | "text_tokens" | "text_causal" | "text_masked" | "text_masks" | "times" | "batch" | `f${number}` | `l${number}` | "loss" | "asked" | "hand" | "@say";
  cross: `a${number}.${number}` | "step" | "top" | "p" | "@say" | "@formula";
  deep: "k" | "seen" | "rest" | "left" | "both" | "@say" | "@formula";
  demos: "epochs" | `b ${number} ${number}` | `loss ${number}` | "apart" | "@say";
  descent: "step" | "eta" | "rate" | "size" | "loss" | "nextloss" | `p${number}` | `g${number}` | `c${number}` | `n${number}` | `l${number}` | "rmax" | "best" | "kappa" | "low" | "high" | `s${number}` | "least" | "share" | "left" | `k${number}` | "@say" | "@formula";
  drift: string;
  elman: `x${number}` | `h${number}` | "wx" | "wh";
  fans: "layer" | `cosine ${number}` | `same ${number}` | `angle ${number}` | `same angle ${number}` | "@say";
  fates: "corrupt_chosen" | "corrupt_masked" | "corrupt_random" | "kept" | "n_chosen" | "n_masked" | "n_random" | "n_kept" | "n_rest" | "n_often" | "e_chosen" | "e_masked" | "e_random" | "e_kept" | "sorted" | "@say" | "@formula";
  feedforward: "place" | "z" | "h" | "pt" | "rank" | `p${number}` | `l${number}` | "@at" | "@say" | "@formula" | "size";
  first_vector: "row" | "tokens" | "width" | "@say";
  flow: `q${number}` | `s${number}` | `a${number}` | `h${number}` | `e${number}` | `w${number}` | `n${number}` | `z${number}` | `k${number}.${number}` | `v${number}.${number}` | `u${number}.${number}` | "d_k" | "root" | "tau" | "divisor" | "max" | "sum" | "total" | "gap" | "apart" | "ratio" | "temperature" | `x${number}.${number}` | `q${number}.${number}` | `s${number}.${number}` | `a${number}.${number}` | `m${number}.${number}` | `w${number}.${number}` | `z${number}.${number}` | `g${number}`;
  formula: `x${number}` | `w${number}` | `t${number}` | `s${number}` | "b" | "z" | "y" | "slope" | "@say";
  found: `c ${number} ${number}` | "shared" | "both" | "words";
  frozen: "at" | "step" | "learned" | "frozen" | "words" | `loss ${number}` | "gap" | `right ${number} ${number}` | `near ${number}` | "@say" | "@formula";
  game: `points ${string}` | `q ${string}` | `p ${string}`;
  generation: `greedy.${number}` | "greedy.rest" | "greedy.mass" | "@greedy.kept" | "@greedy.chosen" | "greedy.total" | `beam.${number}` | "beam.rest" | "beam.mass" | "@beam.kept" | "@beam.chosen" | "beam.total" | `walk.${number}` | "walk.rest" | "walk.mass" | "@walk.kept" | "@walk.chosen" | "walk.total" | `temperature.${number}` | "temperature.rest" | "temperature.mass" | "@temperature.kept" | "@temperature.chosen" | "temperature.total" | `top_k.${number}` | "top_k.rest" | "top_k.mass" | "@top_k.kept" | "@top_k.chosen" | "top_k.total" | `top_p.${number}` | "top_p.rest" | "top_p.mass" | "@top_p.kept" | "@top_p.chosen" | "top_p.total" | `min_p.${number}` | "min_p.rest" | "min_p.mass" | "@min_p.kept" | "@min_p.chosen" | "min_p.total" | `typical.${number}` | "typical.rest" | "typical.mass" | "@typical.kept" | "@typical.chosen" | "typical.total" | `repetition.${number}` | "repetition.rest" | "repetition.mass" | "@repetition.kept" | "@repetition.chosen" | "repetition.total" | `together.${number}` | "together.rest" | "together.mass" | "@together.kept" | "@together.chosen" | "together.total" | `drawn_beam.${number}` | "drawn_beam.rest" | "drawn_beam.mass" | "@drawn_beam.kept" | "@drawn_beam.chosen" | "drawn_beam.total" | "beam.score" | "drawn_beam.score" | "times" | "perplexity" | "temperature" | "top_k" | "top_p" | "min_p" | "typical" | "repetition";
  graph: `${string}`;
  heads: "@layer" | "@head" | "@say" | "@formula" | "threshold" | "left" | "dot" | `w${number}` | `s${number}` | `o${number}` | "weights" | "other";
  home: "u" | "heat" | `p${number}` | "rest" | "chosen" | "@word";
  hop: "distance" | "hops" | "attention" | "rnn" | `rnn ${number}` | "products" | "block" | "chance" | "@say";
  in_use: "use" | "uses" | "same" | `count ${number}` | "@say" | "@formula";
  input_rows: "tokens_dim" | "token" | "position" | "segment" | "input" | "rows" | "words";
  inputs: "tokens_dim" | "token" | "position" | "segment" | "input";
  joined: `a${number}.${number}` | `z${number}.${number}` | `o${number}` | `part${number}` | "number" | "bias" | "sum" | "whole" | "read";
  judged: "chosen" | `share ${number}` | `base ${number}` | `gain ${number}`;
  ladders: "right" | `hits ${number}` | `share ${number}` | `cos ${number} ${number}`;
  language_model: `${string}.${number}` | `${string}.product` | `${string}.sum` | `${string}.loss` | `${string}.perplexity` | `${string}.next${number}` | "cost" | "dearest" | "count" | "of" | "kept" | "weight" | "lower" | "logit" | "exp" | "exps" | "prefix" | "longer";
  languages: "language" | "pieces" | "words" | "rate" | "singles" | "own" | `rate ${number}` | "@say" | "@formula";
  layer_choices: "way" | `bert ${number}` | `ours ${number}`;
  leads: "de" | "fr" | "apart" | "@say" | "@formula";
  leak: `v${number}.${number}` | `r${number}.${number}` | `m${number}.${number}` | `n${number}` | "before" | "ofBefore" | "after" | "ofAfter" | "ownLayer" | "own" | "masking_change" | "masking_prefix" | "masking_window" | "@say";
  letters: string;
  longest: "tokens_n" | "types" | "tries" | "pieces" | "@say" | "@formula";
  losses: string;
  lstm: "c_before" | "z_f" | "z_i" | "z_c" | "z_o" | "forget" | "input" | "candidate" | "kept" | "written" | "cell" | "output" | "squashed" | "hidden" | "cell_by_before" | "cell_by_candidate" | "hidden_by_cell" | "far" | "reach" | "@say";
  masked_loss: `p${number}` | `rank${number}` | `cost${number}` | `rival${number} ${number}` | "loss" | "blind" | "costs";
  masking: `s${number}.${number}` | `k${number}.${number}` | `w${number}.${number}` | `m${number}.${number}` | `o${number}.${number}` | `x${number}.${number}` | `sees${number}` | `cut${number}` | `ahead${number}` | `past${number}` | `given${number}` | `kept${number}` | `own${number}` | "masking_prefix" | "masking_window";
  matrices: `x${number}.${number}` | `q${number}.${number}` | `k${number}.${number}` | `v${number}.${number}` | `s${number}.${number}` | `a${number}.${number}` | `m${number}.${number}` | `w${number}.${number}` | `z${number}.${number}` | `Wq${number}.${number}` | `Wk${number}.${number}` | `Wv${number}.${number}` | "sum";
  missing: "test" | "before" | "missing" | "gain" | "share" | "@say" | "@formula";
  mix: string;
  mixtures: "task" | "top" | "share" | `s ${number} ${number}` | `gamma ${number}` | `right ${number}` | `word ${number}`;
  needle: "u" | "@word" | "p" | "low" | "high" | "top" | "rest" | `part ${number}` | `u ${number}` | `p ${number}` | "text";
  networks: "step" | `x${number}` | "w" | "loss" | "wrong" | "val" | `z${number}` | `p${number}` | "map" | "@say";
  neuron: `x${number}` | `w${number}` | `t${number}` | `s${number}` | "b" | "z" | "y" | "slope" | "z_before" | "y_before" | "z_after" | "y_after" | `c${number}z` | `c${number}` | "@largest" | "@say";
  noises: "chosen" | "tokens" | `hidden ${number}` | `moved ${number}` | `reads ${number}`;
  one_prompt: `p ${number} ${number}` | "mean";
  packed: "corrupt_pack_length" | "at" | "chosen" | `filled ${number}` | `inputs ${number}` | `read ${number}` | "extra";
  pair: "h" | "c" | `l${number}` | `p${number}` | `n${number}`;
  pair_head: "h" | "c" | `l${number}` | `p${number}` | `n${number}` | `b${number}` | `h ${number}` | `c ${number}` | `s${number} ${number}`;
  paper: "paper" | `p ${number}` | `off ${number}` | `on ${number}` | "rise" | "fall" | "@say" | "@formula";
  path: string;
  pipeline_order: "task" | `right ${number} ${number}` | `gain ${number} ${number}` | `layer ${number}`;
  pooled: `p ${number} ${number}` | `right ${number}` | `differ ${number}` | "total" | `h${number}` | "z" | "inputs" | "width";
  positions: "pos" | "other" | "k" | "d" | "base" | "dot" | "squared" | "cosine" | `at${number}` | "@rows" | `i${number}` | `period${number}` | `sin${number}` | `cos${number}` | `sinq${number}` | `cosq${number}` | "pair" | "even" | "odd" | "divisor" | "angle" | "turn" | "term" | "rest" | "sin" | "cos" | "sinq" | "cosq" | "@cells" | "plain" | "rounding" | "gap" | `a${number}` | `b${number}` | `u${number}` | `v${number}`;
  qk: string;
  quoted: string;
  ranking: string;
  reach: string;
  readers: `p ${string}` | `best p ${string}` | "own";
  recall: `alone ${string} ${number}` | `mixed ${string} ${number}`;
  relations: `agreement ${string}` | `pronoun ${string}`;
  reordered: "seed" | "still" | "least" | `to ${number}` | `first ${number}` | `firstGuess ${number}` | `p ${number}` | `guess ${number}` | `moved ${number}` | "@say" | "@formula";
  results: "place" | "x" | "y" | "ratio" | "step" | "gap" | "difference" | "removed" | "frontier" | "@at" | "@say" | "@formula";
  rivers: "year" | "@say";
  roles: `learn ${number}` | "use" | "@say" | "@formula";
  rulers: "d_k" | "stretch" | `s${number} ${number}` | `w${number} ${number}` | `g${number}` | `r${number}` | `sum${number}` | "@say";
  scale: "watts" | "hours" | "overhead" | "lbs" | "kwh" | "own" | "times" | "beside" | "doublings" | "double" | "@say" | "@formula";
  senses: "layer" | "mean" | "same" | "share" | `x ${number}` | `y ${number}` | `cos ${number} ${number}` | `e ${number}` | "@say" | "@formula";
  seq2seq: "step" | `a${number}` | "e1" | "sum" | "before" | "context" | "state" | "logit" | "p" | "pv" | "word" | "instead" | "@say" | "@formula";
  sequences: "sequences" | "tokens" | "marks" | "read";
  setups: string;
  shares: `z${number}` | `e${number}` | `p${number}` | `o${number}` | `q${number}` | "total" | "@say";
  shifted: `p${number}` | "loss" | "step" | "@say" | "@formula";
  sides: "fill_right" | "from left" | "from right" | "elsewhere" | `a${number}` | "@say" | "@formula" | "after" | `left${number} ${string}` | `q${number} ${string}`;
  sizes: "shown" | "size" | "times" | "months" | "double" | "score" | "fall" | "@say" | "@formula";
  slidetree: `e${number}${number}` | `p${number}` | `f${number}` | `s${number}` | "n" | "@greedy" | "@beam" | "@best" | "greedyp" | "beamp" | "bestp" | "@say" | "@formula";
  slopes: "z" | `${string} y` | `${string} slope` | "chain" | "@marked" | "@say";
  small_head: `s ${number} ${number}` | `p ${number} ${number}` | "kept" | "learn" | "frozen" | "mean" | `mean ${number}` | `low ${number}` | `high ${number}` | "right" | "@say" | "@formula";
  solved: "step" | `d ${number}` | "off" | `s ${number}` | "near" | `i ${number}` | `m ${number}`;
  stacks: "N" | "d" | "d_ff" | "encoder" | "decoder" | "encoders" | "decoders" | "stacks" | "attention" | "cross" | "mlp" | "@say" | "@formula";
  staircase: "n" | "T" | "words" | "rnn" | "block" | "ratio" | "scores" | "@say" | "@formula";
  stepping: string;
  sums: "k" | "up" | "down" | "peak" | "left" | "right" | "leftMean" | "rightMean" | "total" | "apart" | "grammar" | `up ${number}` | `down ${number}` | "@say";
  tagger: "texts" | `before ${number}` | `now ${number}` | `low ${number}` | `high ${number}` | `gain ${number}`;
  textpairs: "order" | "row" | `c${number}` | `f${number}` | "p" | "@say" | "@formula";
  tiny: "step" | "w" | "loss" | `l${number}` | "p" | "best" | "a" | "@say";
  tokens: "tokens_n" | "made" | "types" | "tokens" | "per_word" | "sentence" | "pieces" | "count" | "first" | "second" | "gain" | "@say" | "@formula";
  towers: `N${number}` | `d${number}` | `V${number}` | `heads${number}` | `ground${number}` | `floor${number}` | `roof${number}` | `total${number}` | `att${number}` | `mlp${number}` | `attFloor${number}` | `mlpFloor${number}` | `groundShare${number}` | `attShare${number}` | `mlpShare${number}` | `hidden${number}` | `stored${number}` | `e${number}` | "N" | "d" | "V" | "e" | "ratio" | "@say";
  training: "types" | "uniform" | "truth" | "truth_perplexity" | "step" | "steps" | "final" | "perplexity" | "share" | "best" | "best_step" | "batch" | "second" | "passes" | "rate" | "norm" | "update" | `loss${number}` | `at${number}` | "curve" | "winner" | "@say" | "@formula";
  transfer: "labels" | "frozen" | "learn" | "mean" | "low" | "high" | "least" | "most" | "scratch" | "caught" | "last" | "best" | "chance" | "@say" | "@formula";
  transformer: "token" | "start" | "end" | "cosine" | "cross" | "p" | "logit" | "id" | "@say" | "@formula" | "token!" | `token${number}` | "position!" | `position${number}` | "segment!" | `segment${number}` | "embedding!" | `embedding${number}` | "ln0!" | `ln0${number}` | "ln1!" | `ln1${number}` | "q!" | `q${number}` | "k!" | `k${number}` | "v!" | `v${number}` | "score!" | `score${number}` | "alpha!" | `alpha${number}` | "z!" | `z${number}` | "o!" | `o${number}` | "r1!" | `r1${number}` | "n1!" | `n1${number}` | "lnc!" | `lnc${number}` | "cq!" | `cq${number}` | "cscore!" | `cscore${number}` | "calpha!" | `calpha${number}` | "cz!" | `cz${number}` | "co!" | `co${number}` | "rc!" | `rc${number}` | "nc!" | `nc${number}` | "ln2!" | `ln2${number}` | "pre!" | `pre${number}` | "act!" | `act${number}` | "mlp!" | `mlp${number}` | "r2!" | `r2${number}` | "n2!" | `n2${number}` | "final!" | `final${number}` | "dense!" | `dense${number}` | "active!" | `active${number}` | "transformed!" | `transformed${number}` | "words";
  two_losses: "weight" | "task" | "language" | "product" | "total" | `b ${number}`;
  unmasked: "with" | "without" | "truth" | "alone" | "possible" | "impossible" | "written";
  unrolled: "t" | "id" | "wx" | "wh" | "b" | "z" | "h" | "y" | "p" | "J" | "mean" | "whole" | "perplexity" | "grammar" | "own" | `e${number}` | "xrest" | `xi${number}` | `xw${number}` | `xv${number}` | `xq${number}` | "mrest" | `mi${number}` | `mw${number}` | `mv${number}` | `mq${number}` | "@t" | "@phase" | "@say" | "@formula";
  vanish: "radius" | "forget_rate" | `plain${number}` | `all_paths${number}` | `along_cell${number}` | `power${number}` | "@say";
  vectors: "step" | "loss" | "dot" | "n1" | "n2" | "hits" | `c${number}` | "@say";
  weights: string;
  wordbyword: "s" | "p" | "loss" | "after" | "theta" | "gradient" | "change" | "next" | "mean" | "@say";
  wordmatrix: "cell";
}

/** What each picture reports; unknown where that is not declared. */
export interface Events {
  areas: unknown;
  attention: AskedOrOpened;
  back: unknown;
  beam: number;
  benefits: NearTo;
  blame: unknown;
  cell_reads: CellPress;
  chainrule: number;
  chips: unknown;
  classifiers: NegationTurn;
  cloze: string;
  code_faults: unknown;
  contextual: OpenedLayer;
  corruption: OutcomesByHand;
  cross: CrossMoves;
  deep: unknown;
  demos: unknown;
  descent: DescentMoves;
  drift: unknown;
  elman: unknown;
  fans: unknown;
  fates: FatesOrder;
  feedforward: OpenedUnit;
  first_vector: unknown;
  flow: AskedOrOpened;
  formula: unknown;
  found: unknown;
  frozen: FrozenWord;
  game: ["say", string] | ["go", number];
  generation: PressedStrategy;
  graph: number;
  heads: HeadOrPair;
  home: unknown;
  hop: unknown;
  in_use: string;
  input_rows: number;
  inputs: number;
  joined: JoinedMoves;
  judged: string;
  ladders: LadderPress;
  language_model: [number, number];
  languages: string;
  layer_choices: LayerWayPress;
  leads: ChosenVersion;
  leak: unknown;
  letters: unknown;
  longest: number;
  losses: unknown;
  lstm: unknown;
  masked_loss: string;
  masking: PressedQuery | PaintedMask;
  matrices: Followed;
  missing: unknown;
  mix: unknown;
  mixtures: TaskPress;
  needle: WalkPress;
  networks: NetworkMoves;
  neuron: unknown;
  noises: string;
  one_prompt: unknown;
  packed: string;
  pair: unknown;
  pair_head: string;
  paper: PaperPut;
  path: unknown;
  pipeline_order: ProbedTask;
  pooled: WordMoved;
  positions: WordOrPair;
  qk: FollowedKey;
  quoted: SortedTable;
  ranking: string;
  reach: unknown;
  readers: number;
  recall: unknown;
  relations: HeadPress;
  reordered: unknown;
  results: ComparedPlaces;
  rivers: unknown;
  roles: unknown;
  rulers: unknown;
  scale: BesideRow;
  senses: unknown;
  seq2seq: TranslationMoves;
  sequences: unknown;
  setups: unknown;
  shares: unknown;
  shifted: ShiftedMoves;
  sides: string;
  sizes: unknown;
  slidetree: unknown;
  slopes: unknown;
  small_head: unknown;
  solved: DescentMoves;
  stacks: string;
  staircase: unknown;
  stepping: SteppingMove;
  sums: unknown;
  tagger: PlacePress;
  textpairs: ChosenPair;
  tiny: TinyChoice;
  tokens: unknown;
  towers: unknown;
  training: PressedStart | [string, string][];
  transfer: unknown;
  transformer: TransformerMoves;
  two_losses: unknown;
  unmasked: unknown;
  unrolled: Stopped;
  vanish: unknown;
  vectors: VectorsMoves;
  weights: unknown;
  wordbyword: unknown;
  wordmatrix: PressedCell;
}
