"use strict";
(() => {
  // MARK: Elements. Text reaches the page through `textContent` alone.

  const $ = (id) => document.getElementById(id);

  /** Makes an element: `make("button", {class: "link", text: "…"}, child…)`. */
  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    fill(element, attributes);
    element.append(...children.filter((child) => child !== null && child !== undefined));
    return element;
  }

  function fill(element, attributes) {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === null || value === undefined) continue;
      if (name === "text") element.textContent = shown(value);
      else if (name === "click") element.addEventListener("click", value);
      else if (name === "place") for (const [side, n] of Object.entries(value)) element.style[side] = `${n}px`;
      else element.setAttribute(name, name === "class" ? value : shown(value));
    }
  }

  const svg = (tag, attributes) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
    return element;
  };

  /** The part of a text before a place, which does not end inside of a character. */
  function cut(text, place) {
    if (text.length <= place) return text;
    while (place > 0 && (/[\udc00-\udfff\u200d\ufe00-\ufe0f]/.test(text[place]) || text[place - 1] === "\u200d")) place -= 1;
    return text.slice(0, place);
  }

  const shortened = (text, room) => (text.length <= room ? text : `${cut(text, room)}…`);

  /** Text as it can be looked at: controls and marks that turn the line around are spelled out. */
  function shown(value, room = 4000) {
    const text = String(value);
    const short = text.length > room ? `${cut(text, room)}… (${text.length} characters)` : text;
    const kept = joinersOf(short);
    return short.replace(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb]/g,
      (mark, place) => (kept.has(place) ? mark : `\\u{${mark.charCodeAt(0).toString(16)}}`));
  }

  const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

  /** The places of joiners and variation selectors that are parts of a character: between its parts, and behind one. */
  function joinersOf(text) {
    const places = new Set();
    if (!/[\u200d\ufe00-\ufe0f]/.test(text)) return places;
    for (const { segment, index } of segmenter.segment(text)) {
      for (const { 0: found, index: place } of segment.matchAll(/(?<=[^\u200d\ufe00-\ufe0f])(?:[\ufe00-\ufe0f]?\u200d(?=[^\p{M}\u200d\ufe00-\ufe0f])|[\ufe00-\ufe0f])/gu)) {
        for (let offset = 0; offset < found.length; offset++) places.add(index + place + offset);
      }
    }
    return places;
  }

  const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

  /** Shortens a line at its end. A browser cuts the right side, where a text that is written from there begins. */
  function keepBeginning(line) {
    const text = line.textContent;
    if (!RIGHT_TO_LEFT.test(text) || line.scrollWidth <= line.clientWidth) return;
    let low = 0, high = text.length;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      line.textContent = `${cut(text, middle)}…`;
      if (line.scrollWidth <= line.clientWidth) low = middle; else high = middle - 1;
    }
    line.textContent = `${cut(text, low)}…`;
  }

  // MARK: Values of unknown form. A recording may hold anything anywhere.

  const asText = (value) => (typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value));
  const asNumber = (value) => (typeof value === "number" && Number.isFinite(value) ? value : 0);
  const asList = (value) => (Array.isArray(value) ? value : []);
  const asObject = (value) => (value !== null && typeof value === "object" && !Array.isArray(value) ? value : {});

  // MARK: The recording

  const file = asObject(JSON.parse($("recording").textContent));
  let events = asList(file.events).map(asObject);
  let head = asObject(file.head);
  let model = read(events);
  /** Whether the program is running, so that more will come. */
  let isRunning = file.live === true;

  /** Takes the events apart into actions, effects, moments and frames. */
  function read(events) {
    const actions = new Map(), effects = new Map(), issues = [], frames = [], deeds = [];
    const moments = [{ index: 0, at: 0, actions: [], changes: [], issues: [], order: -1 }];
    let waiting = new Map(), handled = null, last = 0, end = null;

    const action = (number) => {
      if (!actions.has(number)) {
        actions.set(number, { number, at: last, name: "(not recorded)", case: "", starts: [], ends: [], moment: null });
      }
      return actions.get(number);
    };
    const effect = (number) => {
      if (!effects.has(number)) {
        effects.set(number, {
          number, label: "effect", kind: "", place: "", ids: [], start: last, end: null, waits: [], sends: [], starts: [],
        });
      }
      return effects.get(number);
    };
    /** The time of a wait, of which the store was told a little later. */
    const began = (event, at) => Math.min(at, typeof event.since === "number" ? Math.max(0, event.since) : at);
    /** The moment of an action whose commit has not been read. */
    const addMoment = (fields) => {
      const moment = { index: moments.length, changes: [], issues: [], actions: [], ...fields };
      for (const each of moment.actions) each.moment = moment;
      moments.push(moment);
      return moment;
    };

    events.forEach((event, order) => {
      const at = typeof event.at === "number" && Number.isFinite(event.at) ? Math.max(event.at, last) : last;
      last = at;
      switch (event.event) {
        case "action": {
          const each = action(asNumber(event.action));
          Object.assign(each, {
            at, order, case: asText(event.case), name: nameOf(event), line: asText(event.name), isFailure: isFailure(event),
            value: event.value, data: event.data, source: event.source, effect: event.effect === undefined || event.effect === null ? null : effect(asNumber(event.effect)),
          });
          if (each.commit !== undefined) each.name = each.commit === 0 ? "back to the beginning" : `back to commit ${each.commit}`;
          if (each.effect) each.effect.sends.push({ at, action: each, order });
          waiting.set(each.number, each);
          handled = each;
          break;
        }
        case "commit": {
          const members = asList(event.actions).map((number) => action(asNumber(number)));
          members.forEach((each) => waiting.delete(each.number));
          const changes = asList(event.changes).map(asObject).map((change) => ({
            path: asList(change.path).map(asText), old: change.old, new: change.new, index: change.index,
          }));
          // It is shown at the time when its first action came.
          addMoment({
            at: members[0]?.at ?? at, order, actions: members, transaction: asObject(event.transaction), digest: asText(event.digest),
            commit: asNumber(event.commit), changes, steps: changes,
          });
          break;
        }
        case "effectStarted": {
          const each = effect(asNumber(event.effect));
          Object.assign(each, {
            start: at, order, kind: asText(event.kind), place: asText(event.place), ids: asList(event.ids).map(asText),
            given: asText(event.label), steps: asList(event.steps).map(asObject),
          });
          if (typeof event.action === "number") {
            each.cause = action(event.action);
            each.cause.starts.push(each);
          }
          if (typeof event.parent === "number") each.parent = effect(event.parent);
          if (typeof event.after === "number") each.after = effect(event.after);
          break;
        }
        case "effectWaits":
          effect(asNumber(event.effect)).waits.push({
            from: began(event, at), to: null, until: event.until, on: asText(event.scheduler) || `a ${asText(event.on)}`, order,
          });
          if (event.scheduler) effect(asNumber(event.effect)).scheduler = asText(event.scheduler);
          break;
        case "effectResumed": {
          const wait = effect(asNumber(event.effect)).waits.findLast((each) => each.to === null);
          if (wait) Object.assign(wait, { to: Math.max(wait.from, began(event, at)), endOrder: order });
          break;
        }
        case "emission":
          if (event.failed === true) effect(asNumber(event.effect)).dropsFailure = true;
          break;
        case "effectEnded": {
          const each = effect(asNumber(event.effect));
          Object.assign(each, { end: at, endOrder: order, how: asText(event.how), by: event.by });
          const by = asObject(event.by).action;
          if (typeof by === "number") action(by).ends.push(each);
          break;
        }
        case "drawn":
          if (typeof event.endpoint === "string" && typeof event.effect === "number") {
            effect(event.effect).endpoint ??= event.endpoint.slice(0, 1).toLowerCase() + event.endpoint.slice(1);
          }
          break;
        // Between an action and its commit, the action has reported it.
        case "issue":
          issues.push({ at, order, message: asText(event.message), place: asText(event.place), action: waiting.has(handled?.number) ? handled : null });
          break;
        case "tool":
          if (event.did === "jump") action(asNumber(event.action)).commit = asNumber(event.commit);
          deeds.push({ order, action: event.action === undefined ? null : action(asNumber(event.action)), words: wordsOf(event) });
          break;
        case "frame": frames.push({ ...event, at, order }); break;
        case "end": end = at; break;
      }
    });
    for (const each of waiting.values()) addMoment({ at: each.at, order: each.order, actions: [each], isOpen: true });
    moments.sort((a, b) => a.order - b.order).forEach((moment, index) => { moment.index = index; });

    // A part of the name that all actions have tells nothing.
    const shared = /^[^.(]+\./.exec([...actions.values()][0]?.name ?? "")?.[0];
    if (shared && actions.size > 1 && [...actions.values()].every((each) => each.name.startsWith(shared))) {
      for (const each of actions.values()) each.name = each.name.slice(shared.length);
    }

    // What an effect's parts wait for and send, it waits for and sends.
    const roots = [];
    for (const each of effects.values()) {
      const root = rootOf(each);
      if (root === each) { roots.push(each); continue; }
      for (const owner of new Set([root, namedAround(each)])) {
        if (owner === each) continue;
        for (const wait of each.waits) owner.waits.push({ ...wait, endOrder: wait.endOrder ?? each.endOrder, to: wait.to ?? each.end });
        for (const send of each.sends) owner.sends.push(send);
        owner.dropsFailure ??= each.dropsFailure;
        if (each.kind !== "receive") owner.schedulerOfParts = each.scheduler ?? owner.schedulerOfParts;
      }
      root.endpoint ??= each.endpoint;
      root.parts = (root.parts ?? new Set()).add(each.kind);
      if (givenName(each)) (root.named ??= []).push(each);
    }
    for (const each of effects.values()) {
      each.waits.sort((a, b) => a.order - b.order);
      each.sends.sort((a, b) => a.order - b.order);
      // As its answer says, where it has not thrown.
      if (each.how === "finished" && (each.sends.at(-1)?.action.isFailure ?? each.dropsFailure)) each.how = "failed";
    }
    nameEffects([...effects.values()]);
    // Parts with names are shown by themselves, where there are several names.
    for (const each of roots) each.named = new Set(each.named?.map((part) => part.label)).size > 1 ? each.named : [];
    const shown = roots.flatMap((each) => [each, ...each.named]);
    orderEffects(shown);
    for (const each of actions.values()) {
      each.starts = each.starts.filter((effect) => !effect.parent);
      each.ends = each.ends.filter((effect) => !effect.parent);
      if (each.effect) each.effect = rootOf(each.effect);
    }

    for (const issue of issues) (issue.action?.moment ?? momentBefore(moments, "order", issue.order)).issues.push(issue);
    for (const deed of deeds) {
      const moment = deed.action?.moment ?? momentBefore(moments, "order", deed.order);
      moment.deeds = [...(moment.deeds ?? []), deed.words];
    }
    return {
      actions: [...actions.values()], effects: roots, shown, all: [...effects.values()], moments, issues, frames,
      isCutOff: end === null, duration: last,
    };
  }

  /** Whether an action, or the action of a child in it, carries a `Result` that is a failure. */
  function isFailure(event) {
    let node = asObject(event.value);
    for (let depth = 0; depth < 20 && node.case !== undefined; depth++) {
      const payload = asObject(asList(asList(node.children)[0])[1]);
      if (/^(Task)?Result</.test(asText(payload.type))) return payload.case === "failure";
      node = payload;
    }
    return false;
  }

  /** What a tool has done to the program, in words. */
  function wordsOf(event) {
    switch (event.did) {
      case "send": return "sent from this page";
      case "jump": return "an earlier state was put back from this page: the reducer did not run";
      case "hold": return "then effects were held";
      case "letGo": return `then effect ${asNumber(event.effect)} was let go`;
      case "release": return "then all effects were let go";
      case "pace": return event.rate === 1 ? "then the clocks ran as they are" : `then the clocks ran at ${asNumber(event.rate)} of their pace`;
      default: return "then a tool did something that this page does not know";
    }
  }

  /**
   * The name of an action: the names of its cases, without the places of children that lead there,
   * and what the last one carries: `credentials.emailChecked.success(true)`.
   */
  function nameOf(event) {
    const names = [];
    const argument = (value) => shortened(summary(value, 30), 60);
    let node = asObject(event.value), carried = "";
    for (let depth = 0; depth < 20 && node.case !== undefined; depth++) {
      const children = asList(node.children).map(asList);
      const payload = asObject(children.length === 1 ? children[0][1] : undefined);
      const part = (name) => asObject((asList(payload.children).map(asList).find((child) => child[0] === name) ?? [])[1]);
      if (payload.case === "element") { node = part("action"); continue; }
      if (payload.case === "presented") { node = asObject(asList(asList(payload.children)[0])[1]); continue; }
      names.push(asText(node.case));
      if (payload.case === "set" && asList(payload.children).length === 2) {
        const [field, value] = payload.children.map((child) => asObject(asList(child)[1]));
        carried = ` ${asText(field.value).replace(/^\\[^.]*\.?/, "")} = ${argument(value)}`;
        node = {};
        break;
      }
      const isNested = payload.case !== undefined && /Action|Result/.test(asText(payload.type));
      if (isNested || asText(payload.value).startsWith(".")) { node = payload; continue; }
      carried = children.length ? `(${children.map(([label, value]) => `${/^\d+$/.test(asText(label)) ? "" : `${asText(label)}: `}${argument(value)}`).join(", ")})` : "";
      node = {};
    }
    const last = asText(node.value);
    if (last.startsWith(".")) names.push(last.slice(1));
    return shortened(names.length ? names.join(".") + carried : asText(event.name) || asText(event.case) || "(no name)", 200);
  }

  /**
   * Gives every effect a name that tells it from others. One without a name of its own is called after its only
   * part with a name, else after the endpoint that it has used first, else after its cancellation id. Where effects of
   * several lines would be called the same, each has its operator and line. The other faces of a recording do so, too.
   */
  function nameEffects(effects) {
    const lineOf = (effect) => `${effect.kind || "effect"} ${fileOf(effect.place)}`.trim();
    const lines = new Map(), unnamed = [];
    for (const each of effects) {
      const name = givenName(each), names = new Set(each.named?.map(givenName));
      if (name) { each.label = name; continue; }
      if (names.size === 1) [each.endpoint] = names;
      each.short = names.size > 1 ? null : each.endpoint ?? each.ids?.at(-1)?.replace(/^\./, "");
      if (!each.short) {
        const sent = each.place ? null : each.sends[0]?.action.name;
        each.label = sent ? `${lineOf(each)} ${sent}` : lineOf(each);
        continue;
      }
      unnamed.push(each);
      if (each.parent) continue;
      if (!lines.has(each.short)) lines.set(each.short, new Set());
      lines.get(each.short).add(lineOf(each));
    }
    for (const each of unnamed) {
      const isAlone = !each.parent && lines.get(each.short).size < 2;
      each.label = isAlone ? each.short : each.endpoint ? `${each.short} · ${lineOf(each)}` : lineOf(each);
    }
  }

  /** The name that an effect was given: `quotes` for `run "quotes"`. */
  function givenName(effect) {
    const { given, kind } = effect;
    if (!given || given === kind) return null;
    return given.startsWith(`${kind} "`) && given.endsWith('"') && given.length > kind.length + 2 ? given.slice(kind.length + 2, -1) : given;
  }

  /** The effect for an answer of which another one was made; not a `send` inside of another, but what that was made for. */
  function starterOf(effect) {
    let starter = effect.after;
    for (let count = 0; starter?.parent && starter.kind === "send" && count < 100; count++) starter = starter.after;
    return starter;
  }

  /** Finds the effects that each effect waits for, as a step behind them or made for an answer, and those beside it. */
  function orderEffects(effects) {
    const steps = new Map(), groups = new Map();
    const add = (map, key, effect) => { if (!map.has(key)) map.set(key, []); map.get(key).push(effect); };
    const stepOf = (effect, back) => { const step = effect?.steps?.at(-1); return step ? `${asNumber(step.of)} ${asNumber(step.step) - back}` : ""; };
    const keyOf = (effect) => `${effect.cause?.number} ${effect.parent?.number} ${effect.after?.number} ${JSON.stringify((effect.steps ?? []).map((step) => [asNumber(step.of), asNumber(step.step)]))}`;
    for (const each of effects) {
      for (const step of each.steps ?? []) add(steps, `${asNumber(step.of)} ${asNumber(step.step)}`, each);
      if (each.cause) add(groups, keyOf(each), each);
    }
    for (const each of effects) {
      const starter = starterOf(each), isInStep = starter && stepOf(starter, 0) === stepOf(each, 0);
      const before = isInStep ? [] : (steps.get(stepOf(each, 1)) ?? []).filter((other) => !other.parent || other.parent === each.parent);
      each.behind = before.length ? before : starter ? [rootOf(starter).named.length ? namedAround(starter) : rootOf(starter)] : [];
      // What begins when another one has ended is no part of a merge with it.
      each.beside = each.cause ? groups.get(keyOf(each)).filter((other) => other !== each && other.start === each.start) : [];
    }
  }

  /** What an effect waits for before it starts, and what was started with it; empty where there is nothing of that. */
  function orderOf(effect) {
    const names = (effects) => {
      const all = [...new Set(effects.map((each) => each.label))];
      return all.slice(0, 3).join(", ") + (all.length > 3 ? ` and ${all.length - 3} more` : "");
    };
    return [
      effect.behind?.length ? `behind ${names(effect.behind)}` : "",
      effect.beside?.length ? `beside ${names(effect.beside)}` : "",
    ].filter(Boolean).join(", ");
  }

  /** The effect that an effect is a part of, or itself: `delay` is a part of what is delayed. */
  function rootOf(effect) {
    const seen = new Set();
    while (effect.parent && !seen.has(effect)) { seen.add(effect); effect = effect.parent; }
    return effect;
  }

  /** The nearest effect with a name, from an effect up, or the outermost one. */
  function namedAround(effect) {
    const seen = new Set();
    while (effect.parent && !givenName(effect) && !seen.has(effect)) { seen.add(effect); effect = effect.parent; }
    return effect;
  }

  function fileOf(place) { return place.slice(place.lastIndexOf("/") + 1); }

  /** The last moment whose key is not above a value. */
  function momentBefore(moments, key, value) {
    let low = 0, high = moments.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (moments[middle][key] <= value) low = middle; else high = middle - 1;
    }
    return moments[low];
  }

  // MARK: Time travel. Every tree shares what has not changed with the tree before.

  const states = new Map();
  const STRIDE = 256;

  function beginStates() {
    states.clear();
    states.set(0, head.state === undefined ? { value: "(no state recorded)" } : head.state);
  }

  function stateAt(index) {
    let start = index;
    while (!states.has(start)) start = start % STRIDE === 0 ? start - STRIDE : start - (start % STRIDE);
    let root = states.get(start);
    for (let from = start; from < index;) {
      const to = Math.min(index, from - (from % STRIDE) + STRIDE);
      root = applied(root, model.moments.slice(from + 1, to + 1));
      if (to % STRIDE === 0) states.set(to, root);
      from = to;
    }
    return root;
  }

  /** The tree behind some moments. Nodes and pairs that no change leads through are those of the tree before. */
  function applied(root, moments) {
    const owned = new WeakSet();
    const own = (node) => {
      const object = asObject(node);
      if (owned.has(object)) return object;
      const copy = { ...object, children: [...asList(object.children)] };
      delete copy.value;
      if (counted.get(object)) counted.set(copy, true);
      owned.add(copy);
      return copy;
    };
    for (const moment of moments) {
      for (const change of moment.steps ?? []) {
        if (change.path.length === 0) { if (change.new !== undefined) root = change.new; continue; }
        root = own(root);
        let node = root;
        for (let depth = 0; depth < change.path.length; depth++) {
          const label = change.path[depth];
          const place = childIndex(node, label);
          if (depth < change.path.length - 1) {
            if (place < 0) break;
            const child = own(node.children[place][1]);
            if (child !== node.children[place][1]) node.children[place] = [label, child];
            node = child;
          } else if (change.new === undefined) {
            if (place < 0) continue;
            node.children.splice(place, 1);
            if (place < node.children.length) counted.set(node, false);
          } else if (place >= 0) {
            node.children[place] = [label, change.new];
          } else {
            const end = node.children.length;
            const at = Math.min(end, Math.max(0, change.index === undefined ? end : asNumber(change.index)));
            node.children.splice(at, 0, [label, change.new]);
            if (at < end || label !== String(end)) counted.set(node, false);
          }
        }
      }
    }
    return root;
  }

  /** Whether the elements of a list are named by their places. While some of them are removed, they are not. */
  const counted = new WeakMap();

  function isCounted(node) {
    if (node.kind !== "collection") return false;
    if (!counted.has(node)) counted.set(node, asList(node.children).every((child, place) => asText(asList(child)[0]) === String(place)));
    return counted.get(node);
  }

  function childIndex(node, label) {
    const children = asList(node.children);
    const isAt = (place) => place < children.length && asText(asList(children[place])[0]) === label;
    const guess = Number(label);
    if (Number.isInteger(guess) && isAt(guess)) return guess;
    // Such a list is not searched: its places are all the names that it has.
    if (isCounted(node)) return -1;
    // Names that have moved to the front are still in order, in most lists.
    let low = 0, high = node.kind === "collection" && guess >= 0 ? Math.min(children.length, guess) : 0;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (Number(asList(children[middle])[0]) < guess) low = middle + 1; else high = middle;
    }
    return isAt(low) ? low : children.findIndex((_, place) => isAt(place));
  }

  // Elements with an id are compared by it, so that one that is inserted in front leaves the others alone.
  // The paths of such changes are those in the tree after them.

  const isIndex = (label) => /^[0-9]+$/.test(label);

  function identifyChanges() {
    const isListed = (moment) => (moment.steps ?? []).some((change) => change.path.some(isIndex));
    const last = model.moments.findLastIndex(isListed);
    let tree = stateAt(0);
    for (const moment of model.moments.slice(1, last + 1)) {
      const next = applied(tree, [moment]);
      if (isListed(moment)) {
        moment.changes = [];
        addDifferences(tree, next, [], [], moment.changes);
      }
      tree = next;
      if (moment.index % STRIDE === 0) states.set(moment.index, tree);
    }
  }

  function addDifferences(old, node, path, names, found) {
    if (old === node) return;
    const [before, after] = [asObject(old), asObject(node)];
    const isSame = before.kind !== undefined && ["kind", "type", "case"].every((key) => before[key] === after[key]);
    if (!isSame || path.length > 60) {
      if (JSON.stringify(old) !== JSON.stringify(node)) found.push({ path, names, old, new: node });
      return;
    }
    // Only what lies between the pairs that both trees share is looked at.
    const [all, allNew] = [asList(before.children), asList(after.children)];
    const shorter = Math.min(all.length, allNew.length);
    let start = 0, end = 0;
    while (start < shorter && all[start] === allNew[start]) start += 1;
    while (end < shorter - start && all[all.length - 1 - end] === allNew[allNew.length - 1 - end]) end += 1;
    const [parts, newParts] = [all.slice(start, all.length - end), allNew.slice(start, allNew.length - end)].map((list) => list.map(asList));
    const byID = before.kind === "collection" && areIdentified(before, after, parts, newParts);
    if (before.kind === "collection" && !byID && all.length !== allNew.length) {
      addElementDifferences(start, parts, newParts, path, names, found);
      return;
    }
    const keyOf = (part) => (byID ? idOf(part) : asText(part[0]));
    const [oldNames, newNames] = [parts.map(keyOf), newParts.map(keyOf)];
    const places = new Map(oldNames.map((name, index) => [name, index]));
    const kept = new Set(newNames);
    const shown = (name) => (byID ? `id ${name}` : name);
    oldNames.forEach((name, index) => {
      if (kept.has(name)) return;
      found.push({ path: [...path, shown(name)], names: [...names, shown(name)], old: parts[index][1] });
    });
    newNames.forEach((name, index) => {
      const child = newParts[index];
      const [childPath, childNames] = [[...path, asText(child[0])], [...names, shown(name)]];
      if (!places.has(name)) found.push({ path: childPath, names: childNames, new: child[1] });
      else addDifferences(parts[places.get(name)][1], child[1], childPath, childNames, found);
    });
    const order = newNames.filter((name) => places.has(name)).map((name) => places.get(name));
    if (order.some((place, index) => index > 0 && place < order[index - 1])) {
      const value = (list) => ({ value: list.map((part) => keyOf(asList(part))).join(", ") });
      found.push({ path, names: [...names, "order"], old: value(all), new: value(allNew) });
    }
  }

  /** The id of an element; `null` for one without. */
  function idOf(part) {
    const id = asList(asObject(part[1]).children).map(asList).find((each) => each[0] === "id");
    return id === undefined ? null : summary(id[1], 40);
  }

  /** The ids of a list's elements, where each of them has one of its own; else `null`. */
  const ids = new WeakMap();

  function idsOf(list) {
    if (!ids.has(list)) {
      const found = new Set();
      const isNew = (part) => { const id = idOf(asList(part)), { size } = found; return id !== null && found.add(id).size > size; };
      ids.set(list, asList(list.children).every(isNew) ? found : null);
    }
    return ids.get(list);
  }

  /**
   * Whether each element of two lists has an id of its own. The ids of the first list become those of the
   * second one: they are not collected anew for every moment.
   */
  function areIdentified(before, after, parts, newParts) {
    const found = idsOf(before);
    if (found === null) return false;
    ids.delete(before);
    for (const part of parts) found.delete(idOf(part));
    for (const part of newParts) {
      const id = idOf(part);
      if (id === null || found.has(id)) { ids.set(after, null); return false; }
      found.add(id);
    }
    ids.set(after, found);
    return true;
  }

  /** Compares the elements of two lists from a place on, between those that are equal at both ends. */
  function addElementDifferences(place, parts, newParts, path, names, found) {
    const isEqual = (one, other) => one[1] === other[1] || JSON.stringify(one[1]) === JSON.stringify(other[1]);
    const shorter = Math.min(parts.length, newParts.length);
    let start = 0, end = 0;
    while (start < shorter && isEqual(parts[start], newParts[start])) start += 1;
    while (end < shorter - start && isEqual(parts[parts.length - 1 - end], newParts[newParts.length - 1 - end])) end += 1;
    for (let index = start; index < Math.max(parts.length, newParts.length) - end; index++) {
      const [isOld, isNew] = [index < parts.length - end, index < newParts.length - end];
      const [childPath, childNames] = [[...path, isNew ? `${place + index}` : `was ${place + index}`], [...names, `${place + index}`]];
      if (isOld && isNew) addDifferences(parts[index][1], newParts[index][1], childPath, childNames, found);
      else if (isNew) found.push({ path: childPath, names: childNames, new: newParts[index][1] });
      else found.push({ path: childPath, names: childNames, old: parts[index][1] });
    }
  }

  /** One line for a node: its value, or what it is and the first of its parts. */
  function summary(node, room = 60) {
    if (node === undefined || node === null) return "nothing";
    const object = asObject(node);
    if (object.redacted) return "redacted";
    if (object.value !== undefined) return asText(object.value);
    const children = asList(object.children).map(asList);
    const isList = object.kind === "collection" || object.kind === "set";
    const isDictionary = object.kind === "dictionary";
    if ((isList || isDictionary) && children.length === 0) return isDictionary ? "[:]" : "[]";
    const name = object.case !== undefined ? `.${asText(object.case)}` : isList || isDictionary ? "" : asText(object.type);
    let inner = "";
    for (const [key, value] of children) {
      const part = room <= 0 ? "…" : summary(value, room - inner.length - name.length - 12);
      const label = asText(key);
      inner += `${inner ? ", " : ""}${isList || /^\d+$/.test(label) ? "" : `${label}: `}${part}`;
      if (inner.length > room) {
        if (isList) return plural(children.length, "element");
        return `${name}(…)`;
      }
    }
    return isList || isDictionary ? `[${inner}]` : `${name}(${inner})`;
  }

  /** The type of a node with parts, or its case. */
  const kindOf = (object) => (object.case !== undefined ? `.${asText(object.case)}` : asText(object.type))
    || (object.kind === "collection" || object.kind === "set" ? plural(asList(object.children).length, "element") : "")
    || (object.kind === "dictionary" ? plural(asList(object.children).length, "entry", "entries") : "");

  // MARK: Words

  function plural(count, word, many = `${word}s`) { return `${count.toLocaleString("en")} ${count === 1 ? word : many}`; }

  function duration(seconds) {
    if (seconds >= 7200) return `${+(seconds / 3600).toFixed(1)} h`;
    if (seconds >= 120) return `${+(seconds / 60).toFixed(1)} min`;
    return `${+seconds.toFixed(seconds < 10 ? 3 : 1)} s`;
  }
  /** A time of the recording: `421.570 s`, from a thousand seconds on `17:12.450` or `1:02:03.004`. */
  function clock(seconds) {
    if (seconds < 1000) return `${seconds.toFixed(3)} s`;
    if (seconds >= 1e9) return duration(seconds);
    const whole = Math.round(seconds * 1000);
    const two = (number) => String(number).padStart(2, "0");
    const [hours, minutes] = [Math.floor(whole / 3600000), Math.floor(whole / 60000) % 60];
    const rest = `${two(Math.floor(whole / 1000) % 60)}.${String(whole % 1000).padStart(3, "0")}`;
    return hours ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
  }
  const namesOf = (moment) => joined(moment.actions, (each) => each.name) || (moment.index === 0 ? "Start" : "(no action)");
  /** The first of many texts, and how many others there are. */
  const joined = (list, textOf) => list.slice(0, 10).map(textOf).join(" + ") + (list.length > 10 ? ` + ${list.length - 10} more` : "");
  const isTagged = (moment) => Boolean(moment.transaction && (moment.transaction.tagged || moment.transaction.animation));
  const transactionName = (moment) => (isTagged(moment) ? asText(moment.transaction.name) || "animation" : "untagged");
  const isFromOutside = (moment) => moment.actions.length > 0 && !moment.actions[0].effect;
  const endWords = (effect) => {
    if (effect.end === null) return isRunning ? "is running" : model.isCutOff ? "was running when the recording was cut off" : "was still running at the end";
    const by = effect.by;
    const { action, effect: other, scope } = asObject(by);
    const cause = typeof action === "number" ? ` by #${action}${scope === true ? ", which removed its state" : ""}`
      : typeof other === "number" ? ` by effect ${other}` : typeof by === "string" ? ` by ${by === "host" ? "the store" : "its task"}` : "";
    const how = effect.how === "cancelled" ? `was cancelled${cause}` : effect.how || "ended";
    return `${how} after ${duration(effect.end - effect.start)}`;
  };

  // MARK: The story, in a sentence

  function tellStory() {
    const feature = asText(head.feature) || asText(file.name) || "Recording";
    document.title = shown(`${feature} – recording`);
    fill($("feature"), { text: feature, title: feature });
    const outside = model.actions.filter((each) => !each.effect).length;
    const sent = model.actions.length - outside;
    const changes = model.moments.reduce((sum, moment) => sum + moment.changes.length, 0);
    const tagged = model.moments.filter(isTagged).length;
    const ended = (how) => model.effects.filter((each) => each.how === how).length;
    const running = model.effects.filter((each) => each.end === null).length;
    const story = $("story");
    story.replaceChildren();
    $("notes").replaceChildren();
    const say = (text, kind) => story.append(make(kind ? "b" : "span", { text, class: kind === "bad" ? "bad" : null }));
    say("In "); say(duration(model.duration), "b"); say(", ");
    say(plural(outside, "action"), "b"); say(" came from outside and ");
    say(sent.toLocaleString("en"), "b"); say(" from "); say(plural(model.effects.length, "effect"), "b"); say(". ");
    say(plural(model.moments.length - 1, "commit"), "b"); say(", "); say(`${tagged.toLocaleString("en")} animated`, "b");
    say(", made "); say(plural(changes, "change"), "b"); say(" of state.");
    if (ended("cancelled")) { say(" "); say(`${plural(ended("cancelled"), "effect")} cancelled.`, "b"); }
    if (ended("failed")) { say(" "); say(`${plural(ended("failed"), "effect")} failed.`, "bad"); }
    if (running) { say(" "); say(`${plural(running, "effect")} still running${isRunning ? "" : " at the end"}.`, "b"); }
    if (model.issues.length) { say(" "); say(`${plural(model.issues.length, "issue")} reported.`, "bad"); }
    for (const note of asList(file.notes)) $("notes").append(make("p", { text: asText(note) }));
  }

  // MARK: The place of every event on the time axis
  //
  // The axis keeps the order readable: every moment has room for itself, and long times without any
  // event are shortened, by the logarithm of their length.

  const layout = {};

  function gutter() { return parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--gutter")) || 0; }

  /** The places of events where a second has the same width everywhere. */
  function placeToScale() {
    const width = Math.max(200, $("timeline").clientWidth - gutter() - 80);
    const scale = (width / Math.max(1e-6, model.duration)) * layout.zoom;
    const places = new Float64Array(events.length + 1);
    let last = 0;
    events.forEach((event, order) => {
      last = typeof event.at === "number" && Number.isFinite(event.at) ? Math.max(event.at, last) : last;
      places[order] = gutter() + 34 + last * scale;
    });
    places[events.length] = gutter() + 34 + last * scale;
    layout.gaps = [];
    return places;
  }

  /** The places of events in their order, with long times shortened. */
  function placeInOrder() {
    const weights = new Float64Array(events.length);
    // The room since the last commit; `null` before the first one.
    let last = 0, room = null, total = 0;
    const gaps = [], least = 0.6;
    events.forEach((event, order) => {
      const at = typeof event.at === "number" && Number.isFinite(event.at) ? Math.max(event.at, last) : last;
      const wait = at - last;
      let weight = 0;
      if (event.event === "frame" || event.event === "end") { weights[order] = 0; last = wait > 0 ? last : at; return; }
      if (wait > 0) {
        weight += Math.min(2.4, 0.35 * Math.log2(1 + wait / 0.02));
        if (wait >= 20) gaps.push({ order, wait });
      }
      if (room !== null) room += weight;
      if (event.event === "commit") {
        weight += room === null ? 0.4 : Math.max(0, least - room);
        room = 0;
      }
      weights[order] = weight;
      total += weight;
      last = at;
    });
    const width = Math.max(200, $("timeline").clientWidth - gutter() - 170);
    const base = Math.min(150, Math.max(46, width / Math.max(1, total))) * layout.zoom;
    const places = new Float64Array(events.length + 1);
    let x = gutter() + 34;
    weights.forEach((weight, order) => { x += weight * base; places[order] = x; });
    places[events.length] = x;
    // What leads to a commit stands where the commit stands: its actions, and what they started.
    events.forEach((event, order) => {
      if (event.event !== "commit") return;
      const members = new Set(asList(event.actions));
      let isReached = false;
      for (let each = order - 1; each >= 0 && !isReached && events[each].event !== "commit"; each--) {
        const before = events[each];
        const isLed = before.event === "effectEnded" && members.has(asObject(before.by).action);
        if (isLed || ["action", "effectStarted", "emission"].includes(before.event)) places[each] = places[order];
        // What came before its first action led to something else, but for the answer that it is.
        isReached = before.event === "action" && before.action === asList(event.actions)[0];
        if (isReached && events[each - 1]?.event === "emission") places[each - 1] = places[order];
      }
    });
    layout.gaps = gaps.map(({ order, wait }) => ({ x: (places[order] + (places[order - 1] || 0)) / 2, wait }));
    return places;
  }

  function placeEvents() {
    const places = layout.isToScale ? placeToScale() : placeInOrder();
    layout.places = places;
    layout.width = Math.max(places[events.length] + 150, $("timeline").clientWidth);
    for (const moment of model.moments) moment.x = moment.index === 0 ? gutter() + 14 : layout.isToScale ? placeOf(moment) : places[moment.order];
    for (const effect of model.shown) {
      // What waits for another effect begins where that ended, and not where its action is.
      effect.x = effect.cause?.moment && effect.cause.moment.at === effect.start && !effect.behind?.length
        ? effect.cause.moment.x : places[effect.order] ?? gutter() + 14;
      const sent = effect.sends.at(-1);
      effect.endX = effect.end === null ? layout.width
        : Math.max(effect.x + 10, places[effect.endOrder], sent ? (sent.action.moment?.x ?? places[sent.order]) + 6 : 0);
    }
  }

  /** To scale, a moment stands where its first action came. */
  const placeOf = (moment) => layout.places[moment.actions[0]?.order ?? moment.order];

  /** Names of actions stand in three rows, each in the one that shortens the name before it least. */
  function placeNames() {
    const rows = [null, null, null];
    for (const moment of model.moments) {
      moment.nameWidth = 8 + 7.6 * Math.min(40, namesOf(moment).length);
      moment.nameRoom = 330;
      const rest = (before) => (before ? Math.min(0, moment.x - 4 - before.x - before.nameWidth) : 0);
      let row = 0;
      for (const other of [1, 2]) if (rest(rows[other]) > rest(rows[row])) row = other;
      const before = rows[row];
      const isRoom = rest(before) === 0 || moment.x - before.x >= 54;
      moment.nameRow = isRoom ? row : -1;
      if (!isRoom) continue;
      if (before) before.nameRoom = Math.min(330, moment.x - before.x - 4);
      rows[row] = moment;
    }
  }

  /** One lane for every effect of the source; runs of it that overlap get rows of their own. */
  function placeLanes() {
    const lanes = new Map();
    // The steps of a concatenation stand together, and so do the parts of an effect.
    const firsts = new Map();
    const placesOf = (effect) => {
      const root = rootOf(effect), outer = root.steps?.[0]?.of;
      if (outer !== undefined && !firsts.has(outer)) firsts.set(outer, root.order ?? 0);
      return [firsts.get(outer) ?? root.order ?? 0, root.order ?? 0, effect.order ?? 0];
    };
    const ordered = model.shown.map((effect) => ({ effect, order: effect.order ?? 0 })).sort((a, b) => a.order - b.order)
      .map(({ effect }) => ({ effect, places: placesOf(effect) }))
      .sort(({ places: a }, { places: b }) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    for (const { effect } of ordered) {
      const key = `${effect.label}${effect.parent ? ` in ${rootOf(effect).label}` : ""}`;
      if (!lanes.has(key)) {
        lanes.set(key, {
          label: effect.label, isPart: Boolean(effect.parent), places: new Set(), kinds: new Set(), ids: new Set(), tags: new Set(), schedulers: new Set(), rows: [], count: 0,
        });
      }
      const lane = lanes.get(key);
      for (const { action: { moment } } of effect.sends.slice(0, 100)) if (moment && isTagged(moment)) lane.tags.add(transactionName(moment));
      // An operator that receives works nowhere itself.
      const receives = effect.kind === "receive";
      const worksOn = (receives ? null : effect.scheduler) ?? effect.schedulerOfParts;
      if (worksOn) lane.schedulers.add(`works on ${worksOn}`);
      if (receives && effect.scheduler) lane.schedulers.add(`received on ${effect.scheduler}`);
      if (effect.place) lane.places.add(fileOf(effect.place));
      lane.kinds.add(effect.kind);
      lane.count += 1;
      lane.order ||= orderOf(effect);
      for (const id of effect.ids) lane.ids.add(id);
      effect.lane = lane;
      let row = lane.rows.find((each) => each[each.length - 1].endX + 2 <= effect.x);
      if (!row) { row = []; lane.rows.push(row); }
      row.push(effect);
    }
    let top = 4;
    layout.lanes = [...lanes.values()];
    layout.head = gutter() > 0 ? 0 : 17;
    for (const lane of layout.lanes) {
      lane.top = top;
      lane.height = Math.max(gutter() > 0 ? heightOfLabel(lane) : 0, layout.head + lane.rows.length * 20 + 5);
      lane.rows.forEach((row, index) => {
        const middle = gutter() > 0 && lane.rows.length === 1 ? 10 : layout.head + 3 + index * 20;
        for (const effect of row) effect.top = lane.top + middle;
      });
      top += lane.height;
    }
    layout.height = top + 8;
  }

  /** The words below the name of a lane. */
  function aboutLane(lane) {
    const count = lane.count > 1 ? `×${lane.count}` : "";
    // A part has its place and its ids where it is opened.
    const on = [...lane.schedulers].slice(0, 3).join(", ");
    if (lane.isPart && lane.order) return [count, lane.order, on].filter(Boolean).join(" · ");
    const about = [
      lane.places.size === 1 ? [...lane.places][0] : [...lane.kinds].join(", "),
      lane.ids.size > 1 ? `${lane.ids.size} ids` : [...lane.ids][0],
    ].filter((each) => each && !lane.label.includes(each.replace(/^\./, ""))).join(" · ");
    const tags = lane.tags.size ? `sends ${[...lane.tags].slice(0, 3).join(", ")}` : "";
    return [count, lane.order, about || [...lane.kinds].join(", "), [tags, on].filter(Boolean).join(" ")].filter(Boolean).join(" · ");
  }

  /** The room for the label of a lane, of which the name may have two lines, and the words below it three. */
  function heightOfLabel(lane) {
    const room = gutter() - (lane.isPart ? 35 : 21);
    const lines = (text, size, most) => Math.min(most, Math.ceil((widthOf(text) * size * 1.08) / room) || 1);
    return 9 + 15 * lines(lane.label, 1, 2) + 15 * lines(aboutLane(lane), 11 / 12, 3);
  }

  function relayout() {
    placeEvents();
    placeNames();
    placeLanes();
    $("canvas").style.width = `${layout.width}px`;
    $("top").style.width = `${layout.width}px`;
    $("lanes").style.height = `${layout.height}px`;
    drawTimeline();
  }

  // MARK: The timeline. Only what can be seen is in the document.

  /** The part of a sorted list whose places lie between two. */
  function between(list, from, to, start, end) {
    let low = 0, high = list.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (end(list[middle]) < from) low = middle + 1; else high = middle;
    }
    const result = [];
    for (let index = low; index < list.length && start(list[index]) <= to; index++) result.push(list[index]);
    return result;
  }

  function drawTimeline() {
    const view = $("timeline");
    const from = view.scrollLeft - 260, to = view.scrollLeft + view.clientWidth + 120;
    const moments = between(model.moments, from, to, (each) => each.x, (each) => each.x);
    drawRuler(moments, from, to);
    drawActions(moments);
    drawLanes(view, from, to);
  }

  function drawRuler(moments, from, to) {
    const ruler = $("ruler");
    ruler.replaceChildren();
    let right = -Infinity, at = null;
    for (const moment of moments) {
      if (moment.x < right || moment.at === at) continue;
      ruler.append(make("span", { text: clock(moment.at), place: { left: moment.x } }));
      right = moment.x + 70;
      at = moment.at;
    }
    for (const gap of layout.gaps) {
      if (gap.x < from || gap.x > to) continue;
      ruler.append(make("span", { class: "gap", text: `⋯ ${duration(gap.wait)} ⋯`, place: { left: gap.x, top: 0 } }));
    }
  }

  function drawActions(moments) {
    const lane = $("actions-lane");
    const label = make("div", { class: "label", text: "Actions" }, make("small", { text: plural(model.actions.length, "action") }));
    lane.replaceChildren(label);
    // The name of the chosen moment is whole. Those that it would cover make room for it.
    const chosenRow = Math.max(0, chosen.nameRow), chosenEnd = chosen.x + Math.min(420, widthOf(namesOf(chosen)) + 8);
    for (const moment of moments) {
      const isChosen = moment === chosen;
      const dim = isMatch(moment) ? "" : " dim";
      const isBeside = !isChosen && moment.nameRow === chosenRow;
      const room = isChosen ? 420 : isBeside && moment.x < chosen.x ? Math.min(moment.nameRoom, chosen.x - moment.x - 4) : moment.nameRoom;
      const isCovered = isBeside && (moment.x < chosen.x ? room < 20 : moment.x < chosenEnd);
      if (isChosen || (moment.nameRow >= 0 && !isCovered)) {
        const row = Math.max(0, moment.nameRow), top = 1 + row * 15;
        lane.append(make("i", { class: "stem", place: { left: moment.x, top: top + 14, height: 51 - top - 14 } }));
        lane.append(make("button", {
          class: `name${isChosen ? " chosen" : ""}${dim}`, text: isChosen ? namesOf(moment) : nameWithin(moment, room), tabindex: "-1", title: titleOf(moment),
          place: { left: moment.x - 3, top, maxWidth: room }, click: () => choose(moment.index),
        }));
      }
      lane.append(make("button", {
        class: markClass(moment) + (isChosen ? " chosen" : "") + dim, tabindex: "-1", "data-moment": moment.index,
        title: titleOf(moment), "aria-label": titleOf(moment), place: { left: moment.x, top: 50 }, click: () => choose(moment.index),
      }));
    }
    lane.append(make("i", { id: "playhead", place: { left: chosen.x - 1 } }));
    lane.querySelectorAll(".name").forEach(keepBeginning);
  }

  /**
   * The longest form of a moment's name that has room: with what it carries, of which the end may be cut, without, or
   * its last word.
   */
  function nameWithin(moment, room) {
    const whole = namesOf(moment);
    if (moment.actions.length !== 1) return whole;
    const plain = /^[\w.]+/.exec(whole)?.[0] ?? whole;
    if (widthOf(whole) + 8 <= room || widthOf(plain) + 60 <= room) return whole;
    return widthOf(plain) + 8 <= room ? plain : plain.slice(plain.lastIndexOf(".") + 1);
  }

  const pen = document.createElement("canvas").getContext("2d");

  /** The width of a name in the timeline. */
  function widthOf(name) {
    pen.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    return pen.measureText(shown(name)).width;
  }

  const titleOf = (moment) => `${joined(moment.actions, (each) => shortened(each.line || each.name, 300)) || namesOf(moment)} · ${clock(moment.at)} · ${transactionName(moment)}`;
  const markClass = (moment) => [
    "mark", moment.index === 0 ? "start" : isFromOutside(moment) ? "user" : "effect", isTagged(moment) ? "tagged" : "", moment.issues.length ? "issue" : "",
  ].filter(Boolean).join(" ");

  function drawLanes(view, from, to) {
    const lanes = $("lanes");
    lanes.replaceChildren();
    const top = view.scrollTop - 120, bottom = view.scrollTop + view.clientHeight + 40;
    const involved = new Set([...chosen.actions.flatMap((each) => [...each.starts, ...each.ends, each.effect])]);
    const threads = document.createDocumentFragment(), bars = document.createDocumentFragment();
    for (const lane of layout.lanes) {
      if (lane.top + lane.height < top || lane.top > bottom) continue;
      lanes.append(make("div", { class: lane.isPart ? "lane part" : "lane", place: { top: lane.top, height: lane.height, width: layout.width } },
        make("div", { class: "label", title: `${lane.label}: ${[...lane.kinds].join(", ")} ${[...lane.places].join(", ")}${lane.order ? `; ${lane.order}` : ""}` },
          make("span", { text: lane.label }),
          make("small", { text: aboutLane(lane) }))));
      for (const row of lane.rows) {
        if (row[0].top + 20 < top || row[0].top > bottom) continue;
        for (const effect of between(row, from, to, (each) => each.x, (each) => each.endX)) {
          drawEffect(effect, bars, threads, involved.has(effect), from, to);
        }
      }
    }
    lanes.append(threads, bars, make("i", { id: "playhead", place: { left: chosen.x - 1, height: layout.height } }));
  }

  function drawEffect(effect, bars, threads, isInvolved, from, to) {
    const dim = matchesEffect(effect) ? "" : " dim";
    const bar = make("button", {
      class: `bar${effect.end === null ? " open" : ""}${isInvolved ? " chosen" : ""}${dim}`, tabindex: "-1", "data-effect": effect.number,
      title: `${effect.label} ${endWords(effect)}${orderOf(effect) ? `; it runs ${orderOf(effect)}` : ""}`, "aria-label": `${effect.label} ${endWords(effect)}`,
      place: { left: effect.x, top: effect.top, width: Math.max(4, effect.endX - effect.x) },
      click: () => effect.cause?.moment && choose(effect.cause.moment.index),
    });
    const waits = between(effect.waits, from, to, (each) => layout.places[each.order], (each) => (each.to === null ? effect.endX : layout.places[each.endOrder]));
    waits.forEach((wait, index) => {
      const start = Math.max(effect.x, layout.places[wait.order]);
      const stop = Math.min(effect.endX, wait.to === null ? effect.endX : layout.places[wait.endOrder]);
      const until = typeof wait.until === "number" ? duration(Math.max(0, wait.until - wait.from)) : "";
      const width = stop - start;
      if (width <= 0) return;
      // Parts of an effect wait at one time, too: the words stand before the next wait.
      const next = waits[index + 1] ? Math.max(start, layout.places[waits[index + 1].order]) : stop;
      const room = Math.min(stop, next) - start;
      bar.append(make("span", { class: "wait", title: `waits ${until} on ${wait.on}`, place: { left: start - effect.x, width, paddingRight: width - room } },
        room > 44 ? make("b", { text: room > 84 ? `waits ${until}` : until }) : null));
    });
    bars.append(bar);
    if (effect.cause?.moment && effect.top > 10 && !effect.parent) {
      const isChosen = effect.cause.moment === chosen;
      threads.append(make("i", { class: `thread from${isChosen ? " chosen" : ""}${dim}`, place: { left: effect.x, top: 0, height: effect.top } }));
    }
    for (const send of effect.sends) {
      const x = send.action.moment?.x ?? layout.places[send.order];
      if (x < from || x > to) continue;
      const isChosen = chosen.actions.includes(send.action);
      threads.append(make("i", { class: `thread${isChosen ? " chosen" : ""}${dim}`, place: { left: x, top: 0, height: effect.top + 8 } }));
      bars.append(make("i", { class: `send${dim}`, title: `sends ${send.action.name}`, place: { left: x, top: effect.top + 4 } }));
    }
    if (effect.end !== null && effect.endX >= from && effect.endX <= to) {
      bars.append(make("i", { class: `end ${["finished", "cancelled", "failed"].includes(effect.how) ? effect.how : "finished"}${dim}`, title: endWords(effect), place: { left: effect.endX - 3, top: effect.top } }));
    }
  }

  // MARK: Search and filters

  const filter = { text: "", action: "", effect: "", field: "" };
  let found = null;

  const effectsOf = (moment) => moment.actions.flatMap((each) => [each.effect, ...each.starts, ...each.ends].filter(Boolean));
  const isMatch = (moment) => found === null || found.has(moment.index);
  const matchesEffect = (effect) => (filter.effect ? effect.label === filter.effect : found === null || !filter.action || found.has(effect.cause?.moment?.index));

  /** Everything about a moment, with its values whole: most of them are shown shortened. */
  function haystack(moment) {
    const whole = (node) => (node === undefined ? "" : summary(node, Infinity));
    moment.text ??= [
      namesOf(moment), transactionName(moment), ...moment.actions.map((each) => `#${each.number} ${asText(each.line)} ${whole(each.value)}`),
      ...effectsOf(moment).map((each) => `${each.label} ${each.kind} ${each.place} ${each.ids.join(" ")}`),
      ...moment.changes.map((change) => `${change.path.join(".")} ${(change.names ?? change.path).join(" › ")} ${whole(change.old)} ${whole(change.new)}`),
      ...moment.issues.map((each) => `${each.message} ${each.place}`),
      moment.index === 0 ? whole(stateAt(0)) : "",
    ].join("\n").toLowerCase();
    return moment.text;
  }

  function applyFilter() {
    const isOn = Object.values(filter).some(Boolean);
    const needle = filter.text.trim().toLowerCase();
    found = isOn ? new Set(model.moments.filter((moment) =>
      (!needle || haystack(moment).includes(needle))
      && (!filter.action || moment.actions.some((each) => each.case === filter.action))
      && (!filter.effect || effectsOf(moment).some((each) => each.label === filter.effect))
      && (!filter.field || moment.changes.some((change) => change.path[0] === filter.field)),
    ).map((moment) => moment.index)) : null;
    listed = found === null ? model.moments : model.moments.filter(isMatch);
    $("matches").textContent = found === null ? "" : `${found.size.toLocaleString("en")} of ${model.moments.length.toLocaleString("en")}`;
    drawDensity();
    drawTimeline();
    drawRows();
  }

  function offerFilters() {
    const offer = (id, all, values, key) => {
      const counts = new Map();
      for (const value of values) if (value) counts.set(value, (counts.get(value) || 0) + 1);
      const select = $(id);
      select.replaceChildren(make("option", { value: "", text: all }));
      for (const [value, count] of [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, 500)) {
        const option = make("option", { text: `${value} (${count})` });
        option.value = value;
        select.append(option);
      }
      select.value = filter[key];
      // What was chosen may be gone.
      if (select.selectedIndex < 0) { select.value = ""; filter[key] = ""; }
    };
    offer("by-action", "All actions", model.actions.map((each) => each.case), "action");
    offer("by-effect", "All effects", model.effects.map((each) => each.label), "effect");
    offer("by-field", "All fields", model.moments.flatMap((moment) => [...new Set(moment.changes.map((change) => change.path[0]))]), "field");
  }

  // MARK: The list of all actions, of which only the visible rows are in the document

  const ROW = 30;
  let listed = model.moments;

  function drawRows() {
    const list = $("list");
    const rows = $("rows");
    rows.style.height = `${listed.length * ROW}px`;
    const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
    const count = Math.ceil((list.clientHeight || 600) / ROW) + 10;
    rows.replaceChildren(...listed.slice(first, first + count).map((moment, index) =>
      make("button", {
        class: `row${moment === chosen ? " chosen" : ""}`, type: "button", tabindex: moment === chosen ? "0" : "-1", "data-moment": moment.index,
        place: { top: (first + index) * ROW }, title: titleOf(moment), click: () => choose(moment.index),
      },
      make("i", { class: markClass(moment) }),
      make("span", { class: "what", text: namesOf(moment) }),
      make("span", { class: "count", text: moment.changes.length ? `Δ${moment.changes.length}` : "", title: plural(moment.changes.length, "change") }),
      make("span", { class: "when", text: clock(moment.at) }))));
    rows.querySelectorAll(".what").forEach(keepBeginning);
  }

  function showRow() {
    const list = $("list");
    const index = listed.indexOf(chosen);
    if (index >= 0 && list.clientHeight > 0) {
      const top = index * ROW;
      if (top < list.scrollTop) list.scrollTop = top - ROW;
      else if (top + ROW > list.scrollTop + list.clientHeight) list.scrollTop = top + 2 * ROW - list.clientHeight;
    }
    drawRows();
  }

  // MARK: The chosen moment

  let chosen = model.moments[0];

  /** Chooses a moment, and shows everything about it. */
  function choose(index, { isPlaying = false } = {}) {
    chosen = model.moments[Math.max(0, Math.min(model.moments.length - 1, index))];
    isFollowing = chosen.index === model.moments.length - 1;
    sayLive();
    $("slider").value = String(chosen.index);
    $("position").textContent = `${chosen.index.toLocaleString("en")} of ${(model.moments.length - 1).toLocaleString("en")} · ${clock(chosen.at)}`;
    $("slider").setAttribute("aria-valuetext", shown(titleOf(chosen)));
    scrollTimeline();
    drawTimeline();
    showRow();
    describe(chosen);
    drawState();
    const next = model.moments[chosen.index + 1];
    if (!isPlaying) drawFrame("order", next?.actions[0]?.order ?? next?.order ?? Infinity);
  }

  function scrollTimeline() {
    const view = $("timeline");
    const left = view.scrollLeft + gutter() + 20, right = view.scrollLeft + view.clientWidth - 90;
    if (chosen.x < left || chosen.x > right) view.scrollLeft = Math.max(0, chosen.x - gutter() - (view.clientWidth - gutter()) / 2);
  }

  function step(direction) {
    let index = chosen.index + direction;
    while (index > 0 && index < model.moments.length - 1 && !isMatch(model.moments[index])) index += direction;
    if (index >= 0 && index < model.moments.length && isMatch(model.moments[index])) choose(index);
  }

  /** Steps among what was found, and from its end to its other end. */
  function seek(direction) {
    const before = chosen;
    step(direction);
    if (chosen === before && listed.length > 0) choose(listed.at(direction > 0 ? 0 : -1).index);
  }

  function describe(moment) {
    const title = moment.index === 0 ? "Before the first action" : namesOf(moment);
    // A long name breaks behind a point.
    $("title").replaceChildren();
    for (const part of title.split(/(?<=[.(+ ])/)) $("title").append(shown(part), make("wbr"));
    const numbers = moment.actions.slice(0, 10).map((each) => `#${each.number}`).join(", ");
    const who = moment.index === 0 ? "The initial state." : moment.isOpen
      ? "Its commit is missing: the recording was cut off."
      : `${numbers}${moment.actions.length > 10 ? " …" : ""} at ${clock(moment.at)}`;
    fill($("subtitle"), { text: [who, ...(moment.deeds ?? [])].join("; ") });
    showControl();
    fillList($("issues"), moment.issues, 200, (each) => [make("p", { text: `Issue: ${each.message}${each.place ? ` (${each.place})` : ""}` })]);
    drawCauses(moment);
    drawFollows(moment);
    drawChanges(moment);
    drawTransaction(moment);
    const values = moment.actions.filter((each) => asList(asObject(each.value).children).length > 0);
    $("value-part").hidden = values.length === 0;
    fillList($("value"), values, 50, (each) => [branch(each.case || each.name, each.value, ["value", String(each.number)], new Map(), 0)]);
  }

  /** Fills a list with the elements of its first values, and says how many others there are. */
  function fillList(list, values, limit, elementsOf) {
    list.replaceChildren();
    for (const value of values.slice(0, limit)) for (const element of elementsOf(value)) list.append(element);
    if (values.length > limit) list.append(make(/^[OU]L$/.test(list.tagName) ? "li" : "p", { text: `and ${(values.length - limit).toLocaleString("en")} more` }));
  }

  const linkTo = (action) => (action.moment
    ? make("button", { class: "link", type: "button", text: `#${action.number} ${action.name}`, click: () => choose(action.moment.index) })
    : make("span", { text: `#${action.number} ${action.name}` }));

  /** The chain of causes, from what came from outside to the moment that is looked at. */
  function drawCauses(moment) {
    const list = $("causes");
    if (moment.actions.length === 0) {
      list.replaceChildren(make("li", { class: "user here", text: moment.index === 0 ? "The store was made with this state." : "No action: the state was written to directly." }));
      return;
    }
    fillList(list, moment.actions, 50, (action) => {
      const chain = [], seen = new Set();
      for (let each = action; each && !seen.has(each) && chain.length < 200; each = each.effect?.cause) {
        seen.add(each);
        chain.unshift(each);
      }
      return chain.flatMap((each, index) => (index === 0 && !each.effect ? [
        make("li", { class: `user${each === action ? " here" : ""}` }, linkTo(each), make("span", { class: "aside", text: ` from outside, at ${clock(each.at)}` })),
      ] : [
        make("li", { class: "ran" }, make("span", { text: index === 0 ? `an effect, ${each.effect.label}` : `started ${each.effect.label}` }), make("span", { class: "aside", text: each.effect.place && !each.effect.label.includes(fileOf(each.effect.place)) ? ` ${fileOf(each.effect.place)}` : "" })),
        make("li", { class: each === action ? "here" : "" }, linkTo(each), make("span", { class: "aside", text: ` sent after ${duration(Math.max(0, each.at - each.effect.start))}${each.effect.scheduler ? `, ${each.effect.kind === "receive" ? "received on" : "from"} ${each.effect.scheduler}` : ""}` })),
      ]));
    });
  }

  /**
   * The effects of an action as they ran: `concatenate(load ⇒ logIn ⇒ merge(receive[.default](news), watch))`. An arrow
   * stands before what waits. The log says it in the same words. Empty where there are not several effects.
   */
  function treeOf(action) {
    const LIMIT = 20;
    const items = model.all.filter((each) => each.cause === action && (each.kind !== "send" || !each.parent)).slice(0, 2000);
    if (items.length < 2) return "";
    const paths = new Map();
    const pathOf = (effect, depth = 0) => {
      if (paths.has(effect)) return paths.get(effect);
      const above = effect.parent && depth < 2 * LIMIT ? [...pathOf(effect.parent, depth + 1), { part: effect.parent }] : [];
      const own = (effect.steps ?? []).slice(effect.parent?.steps?.length ?? 0).map(({ of, step }) => ({ of: asNumber(of), step: asNumber(step) }));
      const path = [...above, ...own];
      paths.set(effect, path);
      return path;
    };
    const grouped = (list, keyOf) => list.reduce((map, each) => {
      const key = keyOf(each);
      if (!map.has(key)) map.set(key, []);
      map.get(key).push(each);
      return map;
    }, new Map());
    const merged = (texts) => {
      const counted = [];
      for (const text of texts) if (counted.at(-1)?.text === text) counted.at(-1).count += 1; else counted.push({ text, count: 1 });
      const parts = counted.slice(0, LIMIT).map(({ text, count }) => (count > 1 ? `${text} ×${count}` : text));
      if (counted.length > LIMIT) parts.push(`… ${counted.length - LIMIT} more`);
      return parts.length === 1 ? parts[0] : `merge(${parts.join(", ")})`;
    };
    const level = (list, depth) => {
      if (depth >= LIMIT) return "…";
      const groups = [...grouped(list, ({ effect, path: [first] }) => first?.part ?? first?.of ?? effect).values()];
      const owners = new Map(groups.flatMap((group, index) => group.map(({ effect }) => [effect, index])));
      const next = grouped([...groups.keys()], (index) => {
        const owner = owners.get(starterOf(groups[index][0].effect));
        return owner < index ? owner : -1;
      });
      const chain = (index, length) => {
        const text = textOf(groups[index], depth), after = next.get(index);
        return !after ? text : `${text} ⇒ ${length < LIMIT ? merged(after.map((each) => chain(each, length + 1))) : "…"}`;
      };
      return merged((next.get(-1) ?? []).map((index) => chain(index, 0)));
    };
    const textOf = (group, depth) => {
      const rest = (list) => list.map(({ effect, path }) => ({ effect, path: path.slice(1) }));
      if (group[0].path[0]?.of !== undefined) {
        const steps = [...grouped(group, ({ path: [first] }) => first.step).values()];
        const texts = steps.slice(0, LIMIT).map((each) => level(rest(each), depth + 1));
        if (steps.length > LIMIT) texts.push("…");
        return texts.length === 1 ? texts[0] : `concatenate(${texts.join(" ⇒ ")})`;
      }
      const own = group.find(({ path }) => path.length === 0)?.effect, parts = rest(group.filter(({ path }) => path.length > 0));
      if (!own) return level(parts, depth + 1);
      const tags = new Set(own.sends.map((send) => send.action.moment).filter((each) => each && isTagged(each)).map(transactionName));
      const tag = tags.size === 1 ? `[${[...tags][0]}]` : "";
      return own.named?.length ? `${own.kind}${tag}(${level(parts, depth + 1)})` : shortened(own.label, 80) + tag;
    };
    return level(items.map((effect) => ({ effect, path: pathOf(effect) })), 0);
  }

  function drawFollows(moment) {
    const items = [];
    for (const action of moment.actions) {
      const tree = treeOf(action);
      if (tree) items.push(make("li", { class: "order", text: `together: ${tree}` }));
      for (const effect of action.starts) {
        const order = orderOf(effect);
        const item = make("li", {}, make("span", { text: `started ${effect.label}${order ? ` ${order}` : ""}, which ${endWords(effect)}` }));
        effect.sends.slice(0, 20).forEach((send, index) => item.append(make("span", { text: index ? ", " : " and sent " }), linkTo(send.action)));
        if (effect.sends.length > 20) item.append(make("span", { text: ` and ${effect.sends.length - 20} more` }));
        items.push(item);
      }
      for (const effect of action.ends) {
        if (effect.how === "cancelled") items.push(make("li", {}, make("span", { text: `cancelled ${effect.label}${effect.ids.length ? ` (${effect.ids.join(", ")})` : ""}` })));
      }
    }
    $("follows-part").hidden = items.length === 0;
    fillList($("follows"), items, 200, (item) => [item]);
  }

  // A long value is shortened, to what is around the place where it has changed, until it is opened.

  const LONG = 240;
  const wholes = new Set();

  /** The place in two values from which on they are shown, so that their first difference can be seen. */
  function differenceOf(old, text) {
    let place = 0;
    while (place < old.length && old[place] === text[place]) place += 1;
    return Math.max(0, place - 40);
  }

  /** An element for a value, and a button that opens it where it is long. */
  function valueOf(tag, text, key, from = 0) {
    if (text.length <= LONG) return [make(tag, { text })];
    const isOpen = wholes.has(key), start = cut(text, from).length;
    const element = make(tag, isOpen ? { class: "whole", tabindex: "0" } : { class: "part", text: `${start ? "…" : ""}${shortened(text.slice(start), LONG - 40)}` });
    if (isOpen) element.textContent = shown(text, 200_000);
    const toggle = () => {
      if (!wholes.delete(key)) wholes.add(key);
      drawState();
      describe(chosen);
      [...document.querySelectorAll(".length")].find((each) => each.dataset.key === key)?.focus();
    };
    return [element, make("button", {
      class: "length", type: "button", "aria-expanded": String(isOpen), text: isOpen ? "less" : `all ${plural(text.length, "character")}`, "data-key": key, click: toggle,
    })];
  }

  /** What a value was, and what it is. */
  function changeOf(old, text, key) {
    const from = old === null || text === null ? 0 : differenceOf(old, text);
    return [
      ...(old === null ? [] : valueOf("del", old, `${key} old`, from)),
      ...(old === null || text === null ? [] : [make("span", { class: "arrow", text: "→" })]),
      ...(text === null ? [] : valueOf("ins", text, `${key} new`, from)),
    ];
  }

  function drawChanges(moment) {
    const changes = withoutSharedPlaces(moment);
    const rows = changes.slice(0, 200).map((change) => {
      const line = (node) => (node === undefined ? null : summary(node));
      const values = make("div", {}, ...changeOf(line(change.old), line(change.new), `change ${JSON.stringify(change.path)}`));
      if (change.new === undefined) values.append(make("span", { class: "aside", text: " removed" }));
      if (change.places > 1) values.append(make("span", { class: "aside", text: ` shared, in ${change.places} places` }));
      return make("div", { class: "change" }, make("span", { class: "path", text: (change.names ?? change.path).join(" › ") || "(all)" }), values);
    });
    if (changes.length > 200) rows.push(make("p", { class: "nothing", text: `and ${changes.length - 200} more` }));
    if (rows.length === 0) rows.push(make("p", { class: "nothing", text: moment.index === 0 ? "This is where it starts." : "Nothing: the state is as it was." }));
    $("changes").replaceChildren(...rows);
    $("change-count").textContent = changes.length > 1 ? `· ${changes.length}` : "";
  }

  /** The changes, with that of a shared value once, and the number of its places. */
  function withoutSharedPlaces(moment) {
    const root = stateAt(moment.index), found = new Map();
    for (const change of moment.changes) {
      let node = asObject(root), tail = null;
      change.path.forEach((label, depth) => {
        node = asObject(asList(asList(node.children)[childIndex(node, label)])[1]);
        if (node.shared === true && tail === null) tail = change.path.slice(depth + 1);
      });
      const key = JSON.stringify(tail === null ? change.path : [tail, change.old, change.new]);
      const first = found.get(key);
      if (!first) found.set(key, { ...change, places: 1 });
      else { first.places += 1; if (change.path.length < first.path.length) first.path = change.path; }
    }
    return [...found.values()];
  }

  function drawTransaction(moment) {
    const part = $("transaction");
    part.replaceChildren();
    if (!isTagged(moment)) {
      part.append(make("p", { class: "nothing", text: moment.index === 0 ? "It is just there." : "At once: the commit has no animation (untagged)." }));
      return;
    }
    const animation = asObject(moment.transaction.animation);
    const samples = asList(animation.samples).map((value) => Math.max(-1000, Math.min(1000, asNumber(value))));
    if (samples.length > 1) part.append(curve(samples));
    const call = asText(animation.curve);
    const words = [call === transactionName(moment) ? "" : call, typeof animation.duration === "number" ? duration(animation.duration) : ""].filter(Boolean).join(", ");
    part.append(make("p", {}, make("b", { text: transactionName(moment) }), make("br"), make("span", { class: "aside", text: words || (samples.length ? "" : "no animation") })));
  }

  function curve(samples) {
    const low = Math.min(0, ...samples.slice(0, 1000)), high = Math.max(1, ...samples.slice(0, 1000));
    const x = (index) => (6 + (138 * index) / (samples.length - 1)).toFixed(1);
    const y = (value) => (66 - (60 * (value - low)) / (high - low)).toFixed(1);
    const picture = svg("svg", { viewBox: "0 0 150 72", role: "img", "aria-label": "the curve of the animation" });
    for (const value of [0, 1]) picture.append(svg("line", { x1: 6, x2: 144, y1: y(value), y2: y(value) }));
    picture.append(svg("path", { d: samples.map((value, index) => `${index ? "L" : "M"}${x(index)} ${y(value)}`).join("") }));
    return picture;
  }

  // MARK: The state as a tree

  const opened = new Map();
  let onlyChanges = false;

  function drawState() {
    fill($("state-type"), { text: asText(head.stateType) });
    const changed = new Map();
    for (const change of chosen.changes) {
      for (let depth = 0; depth < change.path.length; depth++) {
        const key = JSON.stringify(change.path.slice(0, depth));
        if (!changed.has(key)) changed.set(key, { within: true, removed: [] });
      }
      const here = JSON.stringify(change.path);
      changed.set(here, { ...changed.get(here), change });
      if (change.new === undefined && change.path.length) {
        (changed.get(JSON.stringify(change.path.slice(0, -1))).removed ??= []).push(change);
      }
    }
    const root = stateAt(chosen.index);
    $("tree").replaceChildren(branch(asText(head.stateType) || "State", root, [], changed, 0));
    if (onlyChanges && chosen.changes.length === 0) $("tree").replaceChildren(make("p", { class: "nothing", text: "Nothing changed here." }));
  }

  /** A node of the tree with the children that are open. */
  function branch(label, node, path, changed, depth) {
    const key = JSON.stringify(path);
    const object = asObject(node);
    const children = asList(object.children).map(asList);
    const mark = changed.get(key);
    const isChanged = Boolean(mark?.change);
    const isOpen = (children.length > 0 || mark?.removed?.length > 0) && depth < 60
      && (opened.get(key) ?? (depth === 0 || Boolean(mark?.within) || (isChanged && children.length <= 12) || (depth === 1 && children.length <= 3)));
    const line = make("div", { class: `node${isChanged ? " changed" : mark?.within ? " within" : ""}`, "data-path": path.join(".") });
    line.append(make("button", {
      class: `toggle${children.length ? "" : " none"}`, type: "button", text: isOpen ? "▾" : "▸", "aria-expanded": String(isOpen), "aria-label": label,
      click: () => { opened.set(key, !isOpen); drawState(); describe(chosen); },
    }));
    const text = summary(node);
    // The elements of a set are named by themselves.
    line.append(make("span", { class: "key", text: depth === 0 || label === text ? "" : `${label}: ` }));
    if (object.redacted) line.append(make("span", { class: "redacted", text: "redacted", title: "left out of the recording" }));
    else if (isOpen) line.append(make("span", { class: "type", text: kindOf(object) || label }));
    else if (isChanged && children.length === 0) {
      const old = mark.change.old === undefined ? text : summary(mark.change.old);
      line.append(make("span", { class: "leaf" }, ...changeOf(old === text ? null : old, text, `state ${key}`)));
    } else if (children.length) line.append(make("span", { class: "type", text }));
    else line.append(make("span", { class: "leaf" }, ...valueOf("span", text, `state ${key} new`)));
    const result = make("div", {}, line);
    if (!isOpen) return result;
    const inside = make("div", { class: "children" });
    const limit = opened.get(`${key}+`) ?? 100;
    let skipped = 0;
    children.forEach((child, index) => {
      const name = asText(child[0]);
      const childPath = [...path, name];
      if (onlyChanges && mark?.within && !changed.has(JSON.stringify(childPath))) return;
      if (index >= limit && !changed.has(JSON.stringify(childPath))) { skipped += 1; return; }
      inside.append(branch(name, child[1], childPath, changed, depth + 1));
    });
    for (const change of mark?.removed ?? []) {
      inside.append(make("div", { class: "node changed" }, make("span", { class: "toggle none" }), make("span", { class: "key", text: change.path.at(-1) === summary(change.old) ? "" : `${change.path.at(-1)}: ` }), make("span", { class: "leaf" }, ...changeOf(summary(change.old), null, `state ${JSON.stringify(change.path)}`))));
    }
    if (skipped) inside.append(make("button", { class: "more", type: "button", text: `${plural(skipped, "more", "more")} …`, click: () => { opened.set(`${key}+`, limit + 1000); drawState(); } }));
    result.append(inside);
    return result;
  }

  // MARK: The screen, where a recording has frames. Each is the difference from the one before.

  const screens = new Map();
  const CELL = { width: 8.4, height: 18 };

  const dimension = (value) => Math.max(1, Math.min(500, Math.floor(asNumber(value)) || 1));

  function screenAt(index) {
    let start = index;
    while (start >= 0 && !screens.has(start)) start -= 1;
    let screen = start < 0 ? null : screens.get(start);
    for (let each = start + 1; each <= index; each++) {
      const frame = model.frames[each];
      const columns = dimension(frame.columns), rows = dimension(frame.rows);
      const isSame = screen && screen.columns === columns && screen.rows === rows;
      screen = { columns, rows, lines: isSame ? [...screen.lines] : Array.from({ length: rows }, () => []) };
      const copied = new Set();
      for (const run of asList(frame.cells).map(asObject)) {
        const row = asNumber(run.row);
        if (!Object.hasOwn(screen.lines, row)) continue;
        if (!copied.has(row)) { screen.lines[row] = [...screen.lines[row]]; copied.add(row); }
        const style = { color: asText(run.foreground), behind: asText(run.background), isWide: run.wide === true };
        const column = Math.max(0, Math.floor(asNumber(run.column)));
        const text = asText(run.text).replace(STEERING, "");
        const characters = run.wide === true ? [text] : segments(text);
        characters.forEach((text, offset) => {
          if (column + offset < columns) screen.lines[row][column + offset] = { text, ...style };
        });
        if (run.wide === true) delete screen.lines[row][column + 1];
      }
      if (each % 64 === 0) screens.set(each, screen);
    }
    return screen;
  }

  /** Controls and marks of direction: a screen shows none. */
  const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  const segments = (text) => Array.from(segmenter.segment(text.slice(0, 2000)), (each) => each.segment);

  let drawnFrame = -1;

  /** Draws the last frame of a kind of time: that of playing, or that before the next action. */
  function drawFrame(key, value) {
    if (model.frames.length === 0) return;
    let low = -1, high = model.frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (model.frames[middle][key] <= value) low = middle; else high = middle - 1;
    }
    if (low === drawnFrame) return;
    drawnFrame = low;
    $("frame-time").textContent = low < 0 ? "· nothing shown yet" : `· at ${clock(model.frames[low].at)}`;
    $("frame").dataset.frame = String(low);
    const screen = low < 0 ? { columns: 80, rows: 24, lines: [] } : screenAt(low);
    const picture = svg("svg", { viewBox: `0 0 ${screen.columns * CELL.width} ${screen.rows * CELL.height}`, role: "img" });
    screen.lines.forEach((cells, row) => drawLine(picture, cells, row));
    $("frame").replaceChildren(picture);
  }

  const isColor = (text) => /^#[0-9a-fA-F]{6}$/.test(text);

  function drawLine(picture, cells, row) {
    const texts = [];
    for (let column = 0; column < cells.length;) {
      const cell = cells[column];
      if (!cell) { column += 1; continue; }
      let end = column, text = "";
      do { text += cells[end].text || " "; end += 1; } while (!cell.isWide && cells[end] && !cells[end].isWide && cells[end].color === cell.color && cells[end].behind === cell.behind);
      const width = (cell.isWide ? 2 : end - column) * CELL.width;
      if (isColor(cell.behind)) picture.append(svg("rect", { x: column * CELL.width, y: row * CELL.height, width: width + 0.3, height: CELL.height + 0.3, fill: cell.behind }));
      if (text.trim()) {
        const element = svg("text", { x: column * CELL.width, y: row * CELL.height + 13.5, textLength: width, lengthAdjust: "spacingAndGlyphs", fill: isColor(cell.color) ? cell.color : "#ececf4", "font-size": 14, "xml:space": "preserve" });
        element.textContent = text.replaceAll(" ", "\u00a0");
        texts.push(element);
      }
      column = end;
    }
    for (const text of texts) picture.append(text);
  }

  // MARK: Playing, at the pace of the recording; long waits are shortened to a second

  let player = null;

  function play() {
    if (player) return stop();
    if (chosen.index === model.moments.length - 1) choose(0);
    $("play").firstChild.textContent = "❚❚";
    $("play").setAttribute("aria-pressed", "true");
    let time = chosen.at, last = performance.now(), frame = 0;
    const tick = (now) => {
      time += Math.min(0.1, (now - last) / 1000);
      last = now;
      while (frame < model.frames.length && model.frames[frame].at <= time) frame += 1;
      const next = model.moments[chosen.index + 1], shown = model.frames[frame];
      if (!next && !shown) return stop();
      time = Math.max(time, Math.min(next ? next.at : Infinity, shown ? shown.at : Infinity) - 1);
      if (next && next.at <= time) choose(next.index, { isPlaying: true });
      drawFrame("at", time);
      player = requestAnimationFrame(tick);
    };
    player = requestAnimationFrame(tick);
  }

  function stop() {
    if (player) cancelAnimationFrame(player);
    player = null;
    $("play").firstChild.textContent = "▶";
    $("play").removeAttribute("aria-pressed");
  }

  // MARK: The whole recording behind the slider

  function drawDensity() {
    const canvas = $("density");
    const box = canvas.getBoundingClientRect();
    const scale = window.devicePixelRatio || 1;
    canvas.width = Math.max(1, Math.round(box.width * scale));
    canvas.height = Math.max(1, Math.round(box.height * scale));
    const context = canvas.getContext("2d");
    const style = getComputedStyle(document.documentElement);
    const color = (name) => style.getPropertyValue(name).trim();
    const inset = 6 * scale, room = canvas.width - 2 * inset;
    const count = Math.max(1, model.moments.length - 1);
    const width = Math.max(scale, Math.min(5 * scale, room / count - scale));
    const weight = (moment) => (moment.issues.length ? 2 : isTagged(moment) ? 1 : 0);
    for (const moment of [...model.moments].sort((a, b) => weight(a) - weight(b))) {
      const x = inset + (room * moment.index) / count;
      const height = Math.min(1, 0.3 + 0.14 * moment.changes.length) * (canvas.height - 8 * scale);
      context.globalAlpha = isMatch(moment) ? 1 : 0.15;
      context.fillStyle = color(moment.issues.length ? "--bad" : isTagged(moment) ? "--animated" : isFromOutside(moment) || moment.index === 0 ? "--user" : "--effect");
      context.fillRect(x - width / 2, canvas.height - height - 4 * scale, width, height);
    }
  }

  // MARK: Light and dark

  function setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    drawDensity();
  }

  // MARK: Keys and pointers

  function listen() {
    const slider = $("slider");
    for (const key of ["action", "effect", "field"]) {
      $(`by-${key}`).addEventListener("change", (event) => { filter[key] = event.target.value; applyFilter(); });
    }
    $("search").addEventListener("input", () => { filter.text = $("search").value; applyFilter(); });
    $("filters").addEventListener("submit", (event) => event.preventDefault());
    slider.addEventListener("input", () => { stop(); choose(Number(slider.value)); });
    $("first").addEventListener("click", () => { stop(); choose(0); });
    $("previous").addEventListener("click", () => { stop(); step(-1); });
    $("play").addEventListener("click", play);
    $("next").addEventListener("click", () => { stop(); step(1); });
    $("last").addEventListener("click", () => { stop(); choose(model.moments.length - 1); });
    $("to-scale").addEventListener("click", () => setToScale(!layout.isToScale));
    $("zoom-in").addEventListener("click", () => zoom(1.4));
    $("zoom-out").addEventListener("click", () => zoom(1 / 1.4));
    $("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));
    $("only-changes").addEventListener("click", () => {
      onlyChanges = !onlyChanges;
      $("only-changes").setAttribute("aria-pressed", String(onlyChanges));
      drawState();
    });
    $("timeline").addEventListener("scroll", later(drawTimeline));
    $("list").addEventListener("scroll", later(drawRows));
    window.addEventListener("resize", later(() => { relayout(); drawRows(); drawDensity(); }));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (event) => setTheme(event.matches ? "dark" : "light"));
    for (const tab of document.querySelectorAll("#tabs button")) {
      tab.addEventListener("click", () => {
        $("main").dataset.part = tab.dataset.part;
        for (const each of document.querySelectorAll("#tabs button")) each.setAttribute("aria-pressed", String(each === tab));
        showRow();
      });
    }
    $("help").addEventListener("click", () => $("guide").showModal());
    $("close").addEventListener("click", () => $("guide").close());
    document.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || $("guide").open) return;
      const work = keysAt(event.target, event.shiftKey)[event.key];
      if (!work) return;
      if (event.key !== " ") stop();
      work();
      if ($("list").contains(event.target) && event.key.startsWith("Arrow")) document.querySelector(".row.chosen")?.focus();
      event.preventDefault();
    });
  }

  /** What keys do where the focus is. A control keeps those that have a meaning of their own there. */
  function keysAt(place, isShifted) {
    const [back, on] = [() => step(-1), () => step(1)];
    const leave = () => { $("search").value = ""; filter.text = ""; applyFilter(); $("search").blur(); };
    if (place === $("search")) return keys({ Enter: () => seek(isShifted ? -1 : 1), Escape: leave });
    const sideways = { ArrowLeft: back, ArrowRight: on, "?": () => $("guide").showModal() };
    if (place.tagName === "SELECT") return keys(sideways);
    const isScrolled = place.closest("#timeline, #moment, #state, #screen")
      || (place === document.body && document.documentElement.scrollHeight > window.innerHeight);
    return keys({
      ...sideways, Home: () => choose(0), End: () => choose(model.moments.length - 1),
      "/": () => $("search").focus(), "+": () => zoom(1.4), "-": () => zoom(1 / 1.4), t: () => setToScale(!layout.isToScale),
      ...(place.tagName === "BUTTON" ? {} : { " ": play }),
      ...(place === $("slider") ? { ArrowUp: on, ArrowDown: back } : isScrolled ? {} : { ArrowUp: back, ArrowDown: on }),
    });
  }

  const keys = (work) => Object.assign(Object.create(null), work);

  /** Does something once in the next frame, however often it was asked for. */
  function later(work) {
    let isAsked = false;
    return () => {
      if (isAsked) return;
      isAsked = true;
      requestAnimationFrame(() => { isAsked = false; work(); });
    };
  }

  function setToScale(isToScale) {
    layout.isToScale = isToScale;
    layout.zoom = 1;
    $("to-scale").setAttribute("aria-pressed", String(isToScale));
    relayout();
    scrollTimeline();
    drawTimeline();
  }

  function zoom(factor) {
    // To scale, a long recording has to be made wide enough for moments that are close together.
    const most = layout.isToScale ? Math.max(8, 4e6 / Math.max(200, $("timeline").clientWidth)) : 8;
    layout.zoom = Math.min(most, Math.max(0.1, layout.zoom * factor));
    relayout();
    scrollTimeline();
    drawTimeline();
  }

  // MARK: A program that is running. What is new comes from the server of the page.

  /** The number of moments from which on the older half of them is dropped. */
  const ROOM = 4000;
  const live = { words: "Connecting.", chunks: [], dropped: 0, cost: 0, last: 0, isAsked: false, isFresh: true };
  /** Whether the newest moment is shown when it comes. Who steps back is left there. */
  let isFollowing = true;

  function sayLive() {
    if (!file.live) return;
    const { words, dropped } = live;
    const about = isRunning ? (isFollowing ? " The newest moment is shown." : " End goes on with the newest moment.") : "";
    $("live").hidden = false;
    $("live").classList.toggle("running", isRunning);
    fill($("live"), { text: `${words}${about}${dropped ? ` ${plural(dropped, "earlier commit")} left out here, and kept in the file.` : ""}` });
  }

  function follow() {
    const source = new EventSource("events");
    source.addEventListener("start", () => {
      live.chunks = [null];
      ask();
    });
    source.addEventListener("message", (event) => { live.chunks.push(event.data); ask(); });
    source.addEventListener("state", (event) => {
      const state = asObject(JSON.parse(event.data));
      live.words = asText(state.text);
      isRunning = state.running === true;
      ask();
    });
    source.addEventListener("error", () => {
      isRunning = false;
      live.words = "The connection is lost: 'rondo live' has ended, or is being started anew.";
      ask();
    });
  }

  // MARK: Acting on the program, where it lets us

  let control = { held: [] };

  /** Asks something of the program, and shows how things are then. */
  async function demand(request) {
    try {
      const answer = await fetch("control", {
        method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
      });
      if (!answer.ok) throw new Error(await answer.text());
      control = asObject(await answer.json());
    } catch (error) {
      control = { problem: `The program cannot be reached: ${error.message}` };
    }
    fill($("problem"), { text: asText(control.problem) });
    showControl();
  }

  function showControl() {
    const isShown = file.live === true && isRunning && head.control !== undefined;
    $("control").hidden = !isShown;
    if (!isShown) return;
    const sendable = chosen.actions.filter((each) => each.data !== undefined);
    $("send-again").disabled = control.canSend === false || sendable.length === 0;
    const commit = commitOfChosen();
    const first = control.firstCommit ?? 0;
    $("jump").disabled = commit === undefined || commit < first || model.moments.length < 2;
    $("to-now").disabled = typeof control.now !== "number";
    $("hold").setAttribute("aria-pressed", String(control.isHolding === true));
    fill($("hold"), { text: control.isHolding === true ? "let all effects go" : "hold effects" });
    $("pace").value = String(control.rate ?? 1);
    // Not drawn anew while it is the same, so that a button is not taken away from under the mouse.
    const held = asList(control.held).map(asObject), key = JSON.stringify(held);
    if ($("held").dataset.key === key) return;
    $("held").dataset.key = key;
    $("held").replaceChildren(...held.map((each) => make("li", {}, make("button", {
      type: "button", text: `let ${nameOfHeld(each)} go`, click: () => demand({ deed: "letGo", effect: each.effect }),
    }))));
  }

  /** The commit behind which the chosen state is. What is left out here has none. */
  function commitOfChosen() { return chosen.index > 0 ? chosen.commit : live.dropped ? undefined : 0; }

  function nameOfHeld(held) {
    const effect = model.effects.find((each) => each.number === held.effect);
    return shortened(asText(effect?.label ?? held.label), 60);
  }

  /** What an action carries, with all digits where the browser can write them. */
  function dataOf(each) {
    if (each.source === undefined || JSON.rawJSON === undefined) return each.data;
    return JSON.parse(each.source, (_, value, { source }) => typeof value === "number" ? JSON.rawJSON(source) : value).data;
  }

  function listenToControl() {
    $("send-again").addEventListener("click", async () => {
      for (const each of chosen.actions.filter((each) => each.data !== undefined)) await demand({ deed: "send", action: dataOf(each) });
    });
    $("jump").addEventListener("click", () => demand({ deed: "jump", commit: commitOfChosen() }));
    $("to-now").addEventListener("click", () => demand({ deed: "jump", commit: control.now }));
    $("hold").addEventListener("click", () => demand({ deed: control.isHolding === true ? "release" : "hold" }));
    $("pace").addEventListener("change", () => demand({ deed: "pace", rate: Number($("pace").value) }));
  }

  /** Asks how things are where new effects may be held. */
  function lookAtHeld() {
    if (!isRunning || head.control === undefined || (live.hasLooked && control.isHolding !== true)) return;
    live.hasLooked = true;
    demand({ deed: "look" });
  }

  /** Takes what has come in a later frame. Drawing takes a quarter of the time at most, so that the page answers. */
  function ask() {
    if (live.isAsked) return;
    live.isAsked = true;
    const take = (now) => {
      if (now - live.last < 4 * live.cost) { requestAnimationFrame(take); return; }
      live.isAsked = false;
      const start = performance.now();
      takeLines(start + 30);
      renew();
      live.last = performance.now();
      live.cost = live.last - start;
      if (live.chunks.length) ask(); else lookAtHeld();
    };
    requestAnimationFrame(take);
  }

  /** Reads lines up to a time. The rest stays for the next frame. A chunk that is `null` is a new recording. */
  function takeLines(until) {
    while (live.chunks.length && performance.now() < until) {
      const chunk = live.chunks.shift();
      if (chunk === null) {
        [events, head, file.notes] = [[], {}, []];
        Object.assign(live, { dropped: 0, isFresh: true });
        control = { held: [] };
        live.hasLooked = false;
        continue;
      }
      for (const line of chunk.split("\n")) {
        let event;
        try {
          event = asObject(JSON.parse(line));
        } catch {
          file.notes = [`A line cannot be read: ${shortened(line, 80)}`];
          continue;
        }
        // Numbers with more digits than those of the browser are sent again as they stand in the line.
        event.source = event.data !== undefined && /[\d.]{17}|-0\b/.test(line) ? line : undefined;
        if (event.recording === undefined) events.push(event); else head = event;
      }
    }
  }

  /** Shows the recording as it is now. The moment that was chosen stays, unless the newest one is followed. */
  function renew() {
    const before = chosen, wasFollowing = isFollowing || live.isFresh;
    live.isFresh = false;
    const isSame = (each) => (each.commit ?? each.actions[0]?.number) === (before.commit ?? before.actions[0]?.number);
    model = read(events);
    beginStates();
    screens.clear();
    if (model.moments.length > ROOM) dropOldest();
    drawnFrame = -1;
    found = null;
    listed = model.moments;
    const kept = wasFollowing ? -1 : before.index === 0 ? 0 : model.moments.findIndex(isSame);
    chosen = model.moments.at(wasFollowing ? -1 : Math.max(0, kept));
    showAll();
    choose(chosen.index);
  }

  /** Leaves out the older half of the moments. Effects that have not ended stay. */
  function dropOldest() {
    const index = model.moments.length - ROOM / 2, border = model.moments[index].order;
    const open = new Set();
    for (const event of events.slice(0, border + 1)) {
      if (event.event === "effectStarted") open.add(event.effect);
      if (event.event === "effectEnded") open.delete(event.effect);
    }
    head = { ...head, state: stateAt(index) };
    const frame = model.frames.findLastIndex((each) => each.order <= border);
    const screen = frame < 0 ? null : screenAt(frame);
    const cells = screen ? screen.lines.flatMap((line, row) => line.flatMap((cell, column) => (
      { row, column, text: cell.text, foreground: cell.color, background: cell.behind, wide: cell.isWide }))) : [];
    events = [
      ...events.slice(0, border + 1).filter((event) => ["effectStarted", "effectWaits", "effectResumed"].includes(event.event) && open.has(event.effect)),
      ...(screen ? [{ event: "frame", at: model.frames[frame].at, columns: screen.columns, rows: screen.rows, cells }] : []),
      ...events.slice(border + 1),
    ];
    live.dropped += index;
    model = read(events);
    beginStates();
    screens.clear();
  }

  /** Draws all that does not depend on the chosen moment. */
  function showAll() {
    const hasFrames = model.frames.length > 0;
    $("screen").hidden = !hasFrames;
    $("main").classList.toggle("with-screen", hasFrames);
    document.querySelector("#tabs [data-part=screen]").hidden = !hasFrames;
    $("slider").max = String(model.moments.length - 1);
    identifyChanges();
    tellStory();
    offerFilters();
    relayout();
    applyFilter();
  }

  layout.zoom = 1;
  document.documentElement.dataset.theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  beginStates();
  listen();
  showAll();
  choose(model.moments.length > 1 ? 1 : 0);
  if (file.live) {
    listenToControl();
    follow();
  }
})();
