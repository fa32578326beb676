/** What components return and hold. */
import { Fragment } from "hono/jsx/dom";
import type { Child, FC } from "hono/jsx/dom";
import type { JSX } from "hono/jsx/dom/jsx-runtime";

export type { Child };

/** What a component returns. */
export type View = JSX.Element;

/** Shows its children without an element around them. */
export const Group = Fragment as FC<{ readonly children: Child }>;
