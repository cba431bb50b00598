//! The front end: PTX and SASS, read, judged and lowered.

mod data_files;
mod diagnostics;
mod mutations;
mod properties;
mod ptx_documents;
mod ptx_elements;
mod ptx_gates;
mod ptx_legality;
mod ptx_lowering;
mod ptx_modules;
mod ptx_operands;
mod ptx_seeds;
mod ptx_wild;
mod sass_encodings;
mod sass_text;
mod served;
