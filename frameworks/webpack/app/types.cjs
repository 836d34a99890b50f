// A loader for TypeScript: takes the types out, as Node does.
const { stripTypeScriptTypes } = require("node:module");

module.exports = (source) => stripTypeScriptTypes(source);
