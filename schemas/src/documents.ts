export { schemaDocuments } from './generated/schema-documents.js';
