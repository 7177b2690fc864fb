// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The artifacts that a pom.xml or a Gradle script names. Nothing is resolved or executed, so what a parent or a plugin brings is
 * not known. Immutable.
 */
record BuildFile(Set<String> artifacts) {
    private static final Pattern COMMENT = Pattern.compile("<!--.*?-->|/\\*.*?\\*/|(?m)^\\s*//.*$", Pattern.DOTALL);
    private static final Pattern MAVEN = Pattern.compile("<artifactId>\\s*([\\w.-]+)\\s*</artifactId>");
    /** {@code 'group:artifact'}, {@code "group:artifact:version"}. */
    private static final Pattern GRADLE = Pattern.compile("['\"][\\w.-]+:([\\w.-]+)(?::[^'\"]*)?['\"]");

    static boolean isOne(String name) {
        return name.equals("pom.xml") || name.equals("build.gradle") || name.equals("build.gradle.kts");
    }

    static BuildFile of(String name, String text) {
        String code = COMMENT.matcher(text).replaceAll("");
        Matcher found = (name.endsWith(".xml") ? MAVEN : GRADLE).matcher(code);
        Set<String> artifacts = new LinkedHashSet<>();
        while (found.find()) {
            artifacts.add(found.group(1));
        }
        return new BuildFile(Set.copyOf(artifacts));
    }

    boolean has(String part) {
        return artifacts.stream().anyMatch(each -> each.contains(part));
    }
}
