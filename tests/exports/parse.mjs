// Reads Mermaid diagrams with its own parser, and says how many messages and notes each has.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

// What would clean markup needs a browser; there is none here, and parsing does not depend on it.
const purify = createRequire(`${process.argv[2]}/package.json`)('dompurify');
purify.addHook = () => {};
purify.sanitize = (text) => text;
const mermaid = (await import(pathToFileURL(`${process.argv[2]}/node_modules/mermaid/dist/mermaid.core.mjs`))).default;
for (const file of process.argv.slice(3)) {
  const text = readFileSync(file, 'utf8');
  await mermaid.parse(text); // throws where it is wrong; the first call also loads what knows the diagrams
  const diagram = await mermaid.mermaidAPI.getDiagramFromText(text);
  const messages = diagram.db.getMessages();
  const actors = diagram.db.getActorKeys();
  console.log(`${file}: ${actors.length} actors, ${messages.length} messages`);
}
