import {Component, createElement, type ComponentType} from 'preact';

// Rendered again only when a property is another value (or a signal that it reads changes).
export function memo<P extends object>(Inner: ComponentType<P>): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const now = this.props as Record<string, unknown>;
      const names = Object.keys(next);
      return (
        names.length !== Object.keys(now).length ||
        names.some((name) => now[name] !== (next as Record<string, unknown>)[name])
      );
    }
    override render() {
      return createElement(Inner, this.props as P);
    }
  };
}
