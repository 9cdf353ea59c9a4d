// As much of a document as the pen needs, so that what it draws can be read without a browser.

export class Node {
  constructor(tag) {
    Object.assign(this, { tag, children: [], attributes: {}, parentNode: null, text: "", dataset: {}, style: {} });
  }
  get firstChild() {
    return this.children[0] ?? (this.text ? { data: this.text } : null);
  }
  get nextSibling() {
    return this.parentNode.children[this.parentNode.children.indexOf(this) + 1] ?? null;
  }
  insertBefore(node, next) {
    node.remove();
    node.parentNode = this;
    this.children.splice(next ? this.children.indexOf(next) : this.children.length, 0, node);
  }
  remove() {
    this.parentNode?.children.splice(this.parentNode.children.indexOf(this), 1);
    this.parentNode = null;
  }
  setAttribute(name, value) {
    this.attributes[name] = value;
  }
  removeAttribute(name) {
    delete this.attributes[name];
  }
  set textContent(text) {
    this.text = text;
  }
  /** All nodes of a tag below this one. */
  all(tag) {
    return this.children.flatMap((child) => [...(child.tag === tag ? [child] : []), ...child.all(tag)]);
  }
}

const measure = { getContext: () => ({ measureText: (text) => ({ width: 55 * text.length }) }) };
globalThis.document = /** @type {any} */ ({ createElementNS: (_, tag) => new Node(tag), createElement: () => measure });
