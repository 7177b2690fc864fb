// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.junit.jupiter.api.Test;

/** What is published: the bill of materials lists it and nothing else, and every build tool can read its POMs. */
class PublishedPomsTest {
    private static final Path ROOT = Path.of("..");
    private static final Set<String> NOT_PUBLISHED = Set.of("test", "provided", "system");
    private static final Pattern PROPERTY = Pattern.compile("\\$\\{(.+?)}");

    private final Map<String, Document> poms = new HashMap<>();
    /** The group id, which one POM decides. */
    private final String ours;

    PublishedPomsTest() {
        addWithModules(ROOT);
        ours = value(pom("flexpool-parent"), "project > groupId");
    }

    private void addWithModules(Path folder) {
        Document pom;
        try {
            pom = Jsoup.parse(Files.readString(folder.resolve("pom.xml")), Parser.xmlParser());
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        poms.put(value(pom, "project > artifactId"), pom);
        pom.select("project > modules > module").eachText().forEach(module -> addWithModules(folder.resolve(module)));
    }

    private Document pom(String artifact) {
        return Objects.requireNonNull(poms.get(artifact), artifact);
    }

    private static String value(Element within, String path) {
        Element found = within.selectFirst(path);
        return found == null ? "" : found.text().strip();
    }

    /** A POM and its parents, as far as they are ours. */
    private List<Document> line(String artifact) {
        List<Document> line = new ArrayList<>();
        for (Document pom = poms.get(artifact); pom != null; ) {
            line.add(pom);
            pom = poms.get(value(pom, "project > parent > artifactId"));
        }
        return line;
    }

    /** The value that holds without a profile. */
    private Optional<String> property(String artifact, String name) {
        if (name.equals("project.version") || name.equals("project.groupId")) {
            return Optional.of(value(pom("flexpool-bom"), "project > " + name.substring("project.".length())));
        }
        return line(artifact).stream()
                .flatMap(pom -> pom.select("project > properties > *").stream())
                .filter(property -> property.tagName().equals(name))
                .map(Element::text)
                .findFirst();
    }

    private Stream<String> published() {
        return poms.keySet().stream()
                .filter(artifact -> !property(artifact, "maven.deploy.skip").equals(Optional.of("true")));
    }

    private boolean isJar(String artifact) {
        return Set.of("", "jar").contains(value(pom(artifact), "project > packaging"));
    }

    @Test
    void theBillOfMaterialsListsEveryPublishedModule() {
        List<Element> listed = pom("flexpool-bom").select("project > dependencyManagement dependency");
        assertThat(listed).extracting(one -> value(one, "artifactId")).doesNotHaveDuplicates();
        assertThat(listed)
                .extracting(one -> value(one, "artifactId"))
                .containsExactlyInAnyOrderElementsOf(
                        published().filter(this::isJar).toList());
    }

    /** What an application that imports it gets: all that it has, and all that its parents have. */
    @Test
    void theBillOfMaterialsBringsNothingElse() {
        Document bom = pom("flexpool-bom");
        assertThat(value(bom, "project > groupId")).isEqualTo(ours);
        assertThat(bom.select("project > parent, project > dependencies, project > repositories, project > properties"))
                .isEmpty();
        // Flattened away when it is published.
        assertThat(bom.select("project > profiles > profile > id").eachText()).containsExactly("release");
        assertThat(bom.select("project > profiles > profile > *"))
                .extracting(Element::tagName)
                .containsExactly("id", "build");
        assertThat(bom.select("project > dependencyManagement dependency")).allSatisfy(listed -> {
            assertThat(value(listed, "groupId")).isEqualTo(ours);
            assertThat(value(listed, "version")).isEqualTo("${project.version}");
            assertThat(listed.childrenSize())
                    .as("no import, no classifier, no exclusion")
                    .isEqualTo(3);
        });
    }

    /** Gradle does not activate Maven's profiles: a property that only one of them sets stays a text with a dollar. */
    @Test
    void everyDependencyOfAPublishedModuleHasItsCoordinatesWithoutAProfile() {
        Predicate<Element> carried = dependency -> !NOT_PUBLISHED.contains(value(dependency, "scope"));
        List<String> unset = new ArrayList<>();
        published()
                .forEach(artifact -> line(artifact).stream()
                        .flatMap(pom -> pom
                                .select("project > dependencies > dependency, "
                                        + "project > dependencyManagement > dependencies > dependency")
                                .stream())
                        .filter(carried)
                        .flatMap(dependency ->
                                PROPERTY.matcher(dependency.text()).results())
                        .map((MatchResult found) -> found.group(1))
                        .filter(name -> property(artifact, name).isEmpty())
                        .forEach(name -> unset.add(artifact + ": " + name)));
        assertThat(unset).isEmpty();
    }

    @Test
    void everyDependencyOfAPublishedModuleIsPublished() {
        Set<String> all = Set.copyOf(published().toList());
        assertThat(all).hasSizeGreaterThan(20);
        for (String artifact : all) {
            assertThat(pom(artifact).select("project > dependencies > dependency"))
                    .filteredOn(dependency -> value(dependency, "groupId").equals(ours))
                    .filteredOn(dependency -> !NOT_PUBLISHED.contains(value(dependency, "scope")))
                    .extracting(dependency -> value(dependency, "artifactId"))
                    .as(artifact)
                    .isSubsetOf(all);
        }
    }

    /** One group id and one version, and the bill of materials, which has no parent, says of itself what the root says. */
    @Test
    void allPomsHaveTheCoordinatesOfTheRoot() {
        Document root = pom("flexpool-parent");
        String version = value(root, "project > version");
        assertThat(poms.values()).allSatisfy(pom -> {
            String parent = value(pom, "project > parent > artifactId");
            String of = parent.isEmpty() ? "project" : "project > parent";
            assertThat(poms)
                    .as("parents of ours only: %s", parent)
                    .containsKey(parent.isEmpty() ? "flexpool-parent" : parent);
            assertThat(value(pom, of + " > groupId")).isEqualTo(ours);
            assertThat(value(pom, of + " > version")).isEqualTo(version);
            assertThat(pom.select("project > parent ~ groupId, project > parent ~ version"))
                    .isEmpty();
        });
        Document bom = pom("flexpool-bom");
        String home = value(root, "project > properties > flexpool\\.home");
        for (String about :
                List.of("url", "inceptionYear", "organization", "licenses", "developers", "scm", "issueManagement")) {
            String said = value(root, "project > " + about)
                    .replace("${flexpool.home}", home)
                    .replaceAll("\\s+", "");
            assertThat(value(bom, "project > " + about).replaceAll("\\s+", ""))
                    .as(about)
                    .isEqualTo(said)
                    .isNotEmpty();
        }
    }
}
