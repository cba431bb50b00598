//! What the syntax tree of rust-hdl does not hold, read from the Rust source of the blocks: type
//! names, doc comments, and the values of constants and const generics.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, GenericParam, Item, Lit, PathArguments, Type};

use super::Refusal;

/// Everything that the registered source files declare.
#[derive(Default)]
pub(crate) struct Sources {
    structs: BTreeMap<String, syn::ItemStruct>,
    /// Number of the text that holds each struct.
    places: BTreeMap<String, usize>,
    constants: BTreeMap<String, syn::ItemConst>,
    /// The `update` function of each block type, and the number of the text that holds it.
    kernels: BTreeMap<String, (syn::ImplItemFn, usize)>,
    texts: Vec<String>,
    /// Names of structs that are declared twice, and of constants that have two values: which one is meant would be chance.
    ambiguous: Vec<String>,
}

/// Values of the generic parameters of a block.
pub(crate) type Generics = BTreeMap<String, Generic>;

/// One generic argument.
#[derive(Clone)]
pub(crate) enum Generic {
    Integer(i128),
    Type(Box<Type>),
}

/// The type of a block as its owner names it, together with what its arguments mean.
#[derive(Clone)]
pub(crate) struct BlockType {
    /// Last segment of the path, for instance `LdcAddress`.
    pub(crate) name: String,
    pub(crate) generics: Generics,
}

impl Sources {
    pub(crate) fn parse(texts: &[&str]) -> Result<Self, Refusal> {
        let mut sources = Self::default();
        for (number, text) in texts.iter().enumerate() {
            let file = syn::parse_file(text)
                .map_err(|error| Refusal::new("", "", format!("source file {number} is not Rust: {error}")))?;
            sources.texts.push((*text).to_string());
            sources.collect(file.items);
        }
        Ok(sources)
    }

    fn collect(&mut self, items: Vec<Item>) {
        for item in items {
            match item {
                Item::Struct(found) => {
                    let name = found.ident.to_string();
                    self.places.insert(name.clone(), self.texts.len() - 1);
                    if self.structs.insert(name.clone(), found).is_some() {
                        self.ambiguous.push(name);
                    }
                }
                Item::Const(found) => {
                    let name = found.ident.to_string();
                    let text = |value: &Expr| value.to_token_stream().to_string();
                    let known = self.constants.insert(name.clone(), found.clone());
                    if known.is_some_and(|known| text(&known.expr) != text(&found.expr)) {
                        self.ambiguous.push(name);
                    }
                }
                Item::Impl(found) => self.collect_kernel(found),
                Item::Mod(module) => self.collect(module.content.map(|(_, items)| items).unwrap_or_default()),
                _ => {}
            }
        }
    }

    fn collect_kernel(&mut self, found: syn::ItemImpl) {
        let is_logic = found
            .trait_
            .as_ref()
            .and_then(|(_, path, _)| path.segments.last())
            .is_some_and(|last| last.ident == "Logic");
        let Type::Path(path) = found.self_ty.as_ref() else {
            return;
        };
        let Some(name) = path.path.segments.last().map(|segment| segment.ident.to_string()) else {
            return;
        };
        for item in found.items {
            if let syn::ImplItem::Fn(function) = item
                && is_logic
                && function.sig.ident == "update"
            {
                self.kernels.insert(name.clone(), (function, self.texts.len() - 1));
            }
        }
    }

    /// The `update` function of a block type, and the text of the file that holds it.
    pub(crate) fn kernel(&self, name: &str) -> Result<(&syn::ImplItemFn, &str), Refusal> {
        let found = self.kernels.get(name);
        let found = found.ok_or_else(|| Refusal::new(name, "", "no registered source file holds its kernel"))?;
        Ok((&found.0, &self.texts[found.1]))
    }

    /// The struct of that name.
    pub(crate) fn find(&self, name: &str) -> Result<&syn::ItemStruct, Refusal> {
        if self.ambiguous.iter().any(|other| other == name) {
            return Err(Refusal::new(name, "", "two registered source files declare this type"));
        }
        self.structs
            .get(name)
            .ok_or_else(|| Refusal::new(name, "", "no registered source file declares this block type"))
    }

    /// The type of the top block, from the name that the compiler gives it.
    pub(crate) fn top(&self, type_name: &str) -> Result<BlockType, Refusal> {
        let parsed: Type = syn::parse_str(type_name)
            .map_err(|error| Refusal::new(type_name, "", format!("the type's name does not parse: {error}")))?;
        self.block_type(&parsed, &Generics::new())
    }

    /// The type of the block, or of the elements of the array of blocks, that `owner` calls `field`.
    pub(crate) fn field(&self, owner: &BlockType, field: &str) -> Result<BlockType, Refusal> {
        let declaration = self.find(&owner.name)?;
        let found = declaration
            .fields
            .iter()
            .find(|candidate| candidate.ident.as_ref().is_some_and(|ident| ident == field))
            .ok_or_else(|| Refusal::new(&owner.name, field, "the registered source has no such field"))?;
        self.block_type(&found.ty, &owner.generics)
    }

    fn block_type(&self, written: &Type, generics: &Generics) -> Result<BlockType, Refusal> {
        match written {
            Type::Array(array) => self.block_type(&array.elem, generics),
            Type::Paren(inner) => self.block_type(&inner.elem, generics),
            Type::Group(inner) => self.block_type(&inner.elem, generics),
            Type::Path(path) => {
                let Some(segment) = path.path.segments.last() else {
                    return Err(unnamed(written));
                };
                let name = segment.ident.to_string();
                if let Some(Generic::Type(actual)) = generics.get(&name) {
                    return self.block_type(&actual.clone(), &Generics::new());
                }
                let arguments = match &segment.arguments {
                    PathArguments::AngleBracketed(list) => list.args.iter().collect::<Vec<_>>(),
                    _ => vec![],
                };
                if matches!(name.as_str(), "Vec" | "Many")
                    && let Some(GenericArgument::Type(element)) = arguments.first()
                {
                    return self.block_type(element, generics);
                }
                let values: Vec<_> = arguments.iter().map(|argument| self.argument(argument, generics)).collect();
                let mut bound = Generics::new();
                if let Some(declaration) = self.structs.get(&name) {
                    let parameters = declaration.generics.params.iter().filter_map(parameter_name);
                    for (parameter, value) in parameters.zip(values) {
                        if let Some(value) = value {
                            bound.insert(parameter, value);
                        }
                    }
                }
                Ok(BlockType { name, generics: bound })
            }
            _ => Err(unnamed(written)),
        }
    }

    fn argument(&self, argument: &GenericArgument, generics: &Generics) -> Option<Generic> {
        match argument {
            GenericArgument::Const(value) => self.integer(value, generics).map(Generic::Integer),
            GenericArgument::Type(Type::Path(path)) if path.path.get_ident().is_some() => {
                // A lone identifier may be a type or a const generic of the owner.
                let name = path.path.get_ident()?.to_string();
                match generics.get(&name) {
                    Some(known) => Some(known.clone()),
                    None => match self.constants.get(&name) {
                        Some(_) => self.constant(&name, generics).map(Generic::Integer),
                        None => Some(Generic::Type(Box::new(Type::Path(path.clone())))),
                    },
                }
            }
            GenericArgument::Type(written) => Some(Generic::Type(Box::new(written.clone()))),
            _ => None,
        }
    }

    /// The value of a name that a kernel uses as a number.
    pub(crate) fn constant(&self, name: &str, generics: &Generics) -> Option<i128> {
        match generics.get(name) {
            Some(Generic::Integer(value)) => Some(*value),
            Some(Generic::Type(_)) => None,
            None if self.ambiguous.iter().any(|other| other == name) => None,
            None => self.constants.get(name).and_then(|found| self.integer(&found.expr, generics)),
        }
    }

    /// The comments of the constants.
    pub(crate) fn constant_comments(&self) -> BTreeMap<String, String> {
        let comment = |(name, found): (&String, &syn::ItemConst)| Some((name.clone(), comment(&found.attrs)?));
        self.constants.iter().filter_map(comment).collect()
    }

    /// True if a constant of a source, and not a parameter of the block, goes by this name.
    pub(crate) fn is_constant(&self, name: &str, generics: &Generics) -> bool {
        self.constants.contains_key(name) && !generics.contains_key(name)
    }

    /// The value of an integer expression, if it needs nothing but literals and known names.
    pub(crate) fn integer(&self, expression: &Expr, generics: &Generics) -> Option<i128> {
        match expression {
            Expr::Lit(literal) => match &literal.lit {
                Lit::Int(value) => value.base10_parse().ok(),
                Lit::Bool(value) => Some(value.value.into()),
                _ => None,
            },
            Expr::Paren(inner) => self.integer(&inner.expr, generics),
            Expr::Group(inner) => self.integer(&inner.expr, generics),
            Expr::Cast(inner) => self.integer(&inner.expr, generics),
            Expr::Block(block) => match block.block.stmts.as_slice() {
                [syn::Stmt::Expr(value, None)] => self.integer(value, generics),
                _ => None,
            },
            Expr::Path(path) => self.constant(&path.path.segments.last()?.ident.to_string(), generics),
            Expr::Binary(binary) => {
                let left = self.integer(&binary.left, generics)?;
                let right = self.integer(&binary.right, generics)?;
                match binary.op {
                    syn::BinOp::Add(_) => left.checked_add(right),
                    syn::BinOp::Sub(_) => left.checked_sub(right),
                    syn::BinOp::Mul(_) => left.checked_mul(right),
                    syn::BinOp::Div(_) => left.checked_div(right),
                    syn::BinOp::Rem(_) => left.checked_rem(right),
                    syn::BinOp::Shl(_) => left.checked_shl(u32::try_from(right).ok()?),
                    syn::BinOp::Shr(_) => left.checked_shr(u32::try_from(right).ok()?),
                    _ => None,
                }
            }
            Expr::Call(call) => match (call.func.as_ref(), call.args.first()) {
                (Expr::Path(path), Some(argument)) if path.path.segments.last()?.ident == "clog2" => {
                    let value = u128::try_from(self.integer(argument, generics)?).ok()?;
                    Some(value.next_power_of_two().trailing_zeros().into())
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// First paragraph of the doc comment of a block type, on one line.
    pub(crate) fn block_comment(&self, name: &str) -> Option<String> {
        self.structs.get(name).and_then(|found| comment(&found.attrs))
    }

    /// The comment, which is no doc comment, or else the empty line in front of a field; `None` if there is neither. In front of
    /// the first port of a bundle stands what is in front of the bundle.
    pub(crate) fn field_heading(&self, name: &str, field: &str) -> Option<String> {
        let declaration = self.structs.get(name)?;
        if let Some((bundle, port)) = field.split_once('$') {
            let bundled = self.bundle(declaration, bundle)?;
            let of_bundle = self.field_heading(&bundled.ident.to_string(), port);
            return if begins(bundled, port) { self.field_heading(name, bundle) } else { of_bundle };
        }
        let fields: Vec<_> = declaration.fields.iter().collect();
        let place = fields.iter().position(|found| found.ident.as_ref().is_some_and(|ident| ident == field))?;
        let before = match place.checked_sub(1) {
            Some(before) => fields[before].span().end().line,
            None => declaration.ident.span().start().line,
        };
        let text = self.texts.get(*self.places.get(name)?)?;
        let lines = text.lines().take(fields[place].span().start().line.saturating_sub(1)).skip(before).map(str::trim);
        let lines: Vec<_> = lines.filter(|line| line.is_empty() || line.starts_with("//")).collect();
        let said: Vec<_> = lines.iter().filter_map(|line| Some(line.strip_prefix("//")?.trim())).collect();
        (!lines.is_empty()).then(|| said.join(" "))
    }

    /// First paragraph of the doc comment of a field, on one line. A port of a bundle has its own, but the first that of the bundle.
    pub(crate) fn field_comment(&self, name: &str, field: &str) -> Option<String> {
        let declaration = self.structs.get(name)?;
        match field.split_once('$') {
            Some((bundle, port)) => {
                let bundled = self.bundle(declaration, bundle)?;
                let inside = || self.field_comment(&bundled.ident.to_string(), port);
                if begins(bundled, port) { self.field_comment(name, bundle) } else { inside() }
            }
            None => comment(&found(declaration, field)?.attrs),
        }
    }

    /// The bundle that is a field.
    fn bundle(&self, declaration: &syn::ItemStruct, field: &str) -> Option<&syn::ItemStruct> {
        let Type::Path(path) = &found(declaration, field)?.ty else { return None };
        self.structs.get(&path.path.segments.last()?.ident.to_string())
    }
}

/// Whether a bundle begins with that port.
fn begins(bundle: &syn::ItemStruct, port: &str) -> bool {
    bundle.fields.iter().next().and_then(|field| field.ident.as_ref()).is_some_and(|ident| ident == port)
}

/// The field of that name.
fn found<'a>(declaration: &'a syn::ItemStruct, field: &str) -> Option<&'a syn::Field> {
    declaration.fields.iter().find(|candidate| candidate.ident.as_ref().is_some_and(|ident| ident == field))
}

fn unnamed(written: &Type) -> Refusal {
    Refusal::new(written.to_token_stream().to_string(), "", "a block's type must be a plain path or an array of one")
}

fn parameter_name(parameter: &GenericParam) -> Option<String> {
    match parameter {
        GenericParam::Const(value) => Some(value.ident.to_string()),
        GenericParam::Type(value) => Some(value.ident.to_string()),
        GenericParam::Lifetime(_) => None,
    }
}

fn comment(attributes: &[syn::Attribute]) -> Option<String> {
    let mut words = vec![];
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("doc")) {
        if let syn::Meta::NameValue(pair) = &attribute.meta
            && let Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }) = &pair.value
        {
            let line = text.value().trim().to_string();
            if line.is_empty() && !words.is_empty() {
                break;
            }
            words.push(line);
        }
    }
    let text = words.join(" ").replace('`', "").trim().to_string();
    (!text.is_empty()).then_some(text)
}
