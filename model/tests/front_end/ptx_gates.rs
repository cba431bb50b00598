//! Version and target gates of every measured feature, over every pair of a version and a target.

use crate::data_files::{judge, refusal};
use lsu_model::ptx::{Dialect, Target, Version};

/// Features that the assembler's parser takes and its code generator cannot translate; the front end refuses them.
const UNUSABLE: [&str; 3] = ["ld.v8.b16", "ld.v8.b8", "ld.shared.v8.b8"];

#[test]
fn every_feature_has_its_gate() {
    let mut features = 0;
    for line in include_str!("../data/version-gates.tsv").lines().skip(1) {
        features += 1;
        let columns = line.split('\t').collect::<Vec<_>>();
        let (feature, instruction, region) = (columns[0], columns[1], columns[4]);
        let least_version = Version::parse(columns[2]);
        let least_target = Target::parse(columns[3]);
        for version in Version::all() {
            for target in Target::all().filter(|target| target.least_version() <= version) {
                let in_region = match (least_version, least_target) {
                    (Some(least_version), Some(least_target)) => {
                        version >= least_version && target.number() >= least_target.number()
                    }
                    _ => false,
                };
                // Explicit constant banks were taken away again with PTX 2.2.
                let in_region = in_region && !(region.starts_with("DEV") && version >= Version::new(2, 2));
                let expected = in_region && !UNUSABLE.contains(&feature);
                let (version, target) = (version.to_string(), target.to_string());
                let rule = refusal(&judge(instruction, &version, &target, Dialect::Assembler));
                assert_eq!(rule.is_none(), expected, "{feature}: {instruction} at {version} {target}: {rule:?}");
            }
        }
    }
    assert_eq!(features, 110);
}
