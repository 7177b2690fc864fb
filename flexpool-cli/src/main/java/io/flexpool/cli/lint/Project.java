// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the files of a project once. Executes nothing, and follows no links. Not thread-safe. */
final class Project {
    private static final long LARGEST = 1L << 20;
    private static final long LARGEST_SOURCE = 1L << 20;
    private static final long LARGEST_SCRIPT = 1L << 18;
    private static final int MOST_SOURCES = 5_000;
    private static final Set<String> SKIPPED = Set.of(
            "node_modules", "target", "build", "out", "dist", "bin", "vendor", "__pycache__", "testdata", "fixtures");

    private static final Pattern TESTS = Pattern.compile("(?i)test|tests|it|integrationtest|testfixtures|androidtest");
    private static final Pattern SUPPRESSED =
            Pattern.compile("flexpool:\\s*ignore\\s+(?<rules>[\\w-]++(?:\\s*+,\\s*+[\\w-]++)*+)");
    /** Code that creates a pool, so that the files need not have its settings. */
    private static final Pattern MAKES_POOLS = Pattern.compile(
            "\\b(?:DataSourceBuilder|HikariConfig|HikariDataSource|DruidDataSource|DataSourceProperties|DriverManagerDataSource|SimpleDriverDataSource|SingleConnectionDataSource|BasicDataSource|ComboPooledDataSource|PoolDataSource|PoolProperties|AbstractRoutingDataSource)\\b|@ConfigurationProperties\\([^)]{0,300}?datasource");

    private static final Pattern DEVELOPERS = Pattern.compile("(?i).*\\.(?:env|sh|bash|bat|cmd|ps1)|\\.env\\..*");
    /** The sign of a manifest that configures a pool. */
    private static final Pattern POOL = Pattern.compile("(?i)hikari");

    private static final String NO_TEXT = "is not UTF-8 text";
    private static final Pattern DECLARED = Pattern.compile(
            "^(?:\u00ef\u00bb\u00bf)?<\\?xml[^>]{0,200}?encoding\\s*=\\s*['\"](?<name>[\\w.:-]{1,40})['\"]");
    private static final int DECLARED_WITHIN = 256;

    /** The modules that bring a pool which Hibernate uses without any setting. */
    private static final List<String> OF_HIBERNATE =
            List.of("hibernate-hikaricp", "hibernate-c3p0", "hibernate-agroal", "hibernate-proxool", "hibernate-vibur");

    private final Path root;
    private final boolean tests;
    private final List<SettingsFile> settings = new ArrayList<>();
    private final Map<Path, List<BuildFile>> builds = new TreeMap<>();
    private final Map<Path, Map<String, String>> catalogs = new TreeMap<>();
    private final Set<Path> unread = new TreeSet<>();
    private final Map<Path, String> xml = new TreeMap<>();
    private final Set<Path> ownPools = new TreeSet<>();
    private final Map<Path, Set<String>> suppressed = new LinkedHashMap<>();
    private final Outside outside = new Outside();
    private final List<String> unknown = new ArrayList<>();
    private boolean hidden;
    private final List<String> problems = new ArrayList<>();
    private final List<SourceFile> sources = new ArrayList<>();
    private int read;

    /**
     * Creates the reader, without reading yet.
     *
     * @param tests whether to read test resources too
     */
    Project(Path root, boolean tests) {
        this.root = root;
        this.tests = tests;
    }

    /** The unreadable parts, as sentences. */
    List<String> problems() {
        return problems;
    }

    /** The unknown parts because of unread files, as sentences. */
    List<String> unknown() {
        return unknown;
    }

    /** The number of read files. */
    int files() {
        return read;
    }

    Outside outside() {
        return outside;
    }

    /** The types with transactions or calls of other services. */
    List<SourceFile> sources() {
        return sources;
    }

    Map<Path, String> xml() {
        return xml;
    }

    /** The rules suppressed by comments in each file, as written. */
    Map<Path, Set<String>> suppressed() {
        return suppressed;
    }

    /**
     * Reads all files.
     *
     * @throws IOException if the directory cannot be read
     */
    void read() throws IOException {
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                String name = String.valueOf(directory.getFileName());
                boolean skipped = !directory.equals(root)
                        && (name.startsWith(".")
                                || SKIPPED.contains(name)
                                || (!tests && TESTS.matcher(name).matches()));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (attributes.isRegularFile()) {
                    one(file, attributes.size());
                } else {
                    special(root.relativize(file));
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failed) {
                problems.add((file.equals(root) ? root : root.relativize(file)) + ": cannot be read");
                return FileVisitResult.CONTINUE;
            }
        });
        Set<String> used = new TreeSet<>();
        Set<String> names = new TreeSet<>();
        for (SettingsFile file : settings) {
            names.add(String.valueOf(module(file.file()).getFileName()));
            for (SettingsFile.Document document : file.documents()) {
                for (Setting each : document.settings()) {
                    used.addAll(Containers.used(each.value()));
                    if (each.plain().equals("springapplicationname")) {
                        names.add(each.value());
                    }
                }
            }
        }
        names.remove("");
        List<String> absent = outside.containers().absent(used, names);
        unknown.addAll(absent);
        hidden |= !absent.isEmpty();
    }

    /** Handles a link, a pipe or the like. */
    private void special(Path file) {
        String name = String.valueOf(file.getFileName());
        if (SettingsFile.isOne(name) || BuildFile.isOne(name) || XmlChecks.isOne(name)) {
            unknown.add("the settings of " + file + ": only regular files are read, and no link is followed");
            unread.add(file);
        }
    }

    private void one(Path path, long size) {
        Path file = root.relativize(path);
        String name = String.valueOf(file.getFileName());
        try {
            if (name.endsWith(".java") || name.endsWith(".kt") || name.endsWith(".groovy")) {
                if (size <= LARGEST_SOURCE) {
                    source(file, Files.readString(path, StandardCharsets.ISO_8859_1));
                }
                return;
            }
            if (Scripts.isOne(name) && !BuildFile.isCatalog(name)) {
                script(path, file, size);
                return;
            }
            boolean yaml = name.endsWith(".yml") || name.endsWith(".yaml");
            boolean ofApplication = SettingsFile.isOne(name);
            if (!ofApplication
                    && !BuildFile.isOne(name)
                    && !BuildFile.isCatalog(name)
                    && !XmlChecks.isOne(name)
                    && !Outside.isDockerfile(name)
                    && !Outside.isFileOfVariables(name)
                    && !yaml) {
                return;
            }
            if (size > LARGEST && yaml && !ofApplication) {
                unknown.add("the settings of " + file + ": the file has more than " + (LARGEST >> 20) + " MB");
                return;
            }
            if (size > LARGEST) {
                throw new IOException("has more than " + (LARGEST >> 20) + " MB");
            }
            String text = text(path, name);
            suppressions(file, text);
            if (ofApplication) {
                settings.add(SettingsFile.of(file, text));
            } else if (BuildFile.isOne(name)) {
                builds.computeIfAbsent(folder(file), unknown -> new ArrayList<>())
                        .add(BuildFile.of(name, text));
            } else if (BuildFile.isCatalog(name)) {
                catalogs.put(folder(file), BuildFile.catalog(name, text));
            } else if (XmlChecks.isOne(name)) {
                if (!name.endsWith(".cfg.xml") || text.contains("session-factory")) {
                    xml.put(file, text);
                }
            } else if (yaml) {
                others(file, text);
            } else if (Outside.isFileOfVariables(name)) {
                outside.variables(file, text);
            } else {
                outside.dockerfile(file, text);
            }
            read++;
        } catch (FileSystemException unreadable) {
            problems.add(file + ": cannot be read");
            unread.add(file);
        } catch (IOException unreadable) {
            problems.add(file + ": " + unreadable.getMessage());
            if (SettingsFile.isOne(name)) {
                unread.add(file);
            }
        }
    }

    private void script(Path path, Path file, long size) throws IOException {
        if (size <= LARGEST_SCRIPT) {
            String text = Files.readString(path, StandardCharsets.ISO_8859_1);
            if (outside.script(file, text)) {
                suppressions(file, text);
                read++;
            }
        }
    }

    private void source(Path file, String text) {
        if (MAKES_POOLS.matcher(text).find()) {
            ownPools.add(file);
        }
        if (sources.size() < MOST_SOURCES && (text.contains("Transactional") || text.contains("@FeignClient"))) {
            SourceFile source = SourceFile.of(file, text);
            if (source != null) {
                suppressions(file, text);
                sources.add(source);
            }
        }
    }

    /**
     * Reads YAML of other programs, for example of charts. Unreadable YAML is no problem unless it may configure a
     * pool.
     */
    private void others(Path file, String text) {
        try {
            outside.yaml(file, text);
        } catch (IOException none) {
            if (POOL.matcher(text).find()) {
                unknown.add("the settings of " + file + ": " + none.getMessage());
                hidden = true;
            }
        }
    }

    /**
     * The text, by its byte order mark, or by what an XML file declares. Else it is UTF-8, or, but for YAML, Latin 1, in which Java
     * reads properties.
     */
    private static String text(Path path, String name) throws IOException {
        byte[] bytes = Files.readAllBytes(path);
        boolean yaml = name.endsWith(".yml") || name.endsWith(".yaml");
        Charset charset = marked(bytes);
        if (charset == null && name.endsWith(".xml")) {
            charset = declared(bytes);
        }
        if (charset == null || name.endsWith(".properties")) {
            for (byte each : bytes) {
                if (each == 0) {
                    throw new IOException(NO_TEXT);
                }
            }
        }
        String text;
        try {
            text = (charset == null ? StandardCharsets.UTF_8 : charset)
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            if (yaml || charset != null) {
                throw new IOException(NO_TEXT, other);
            }
            text = new String(bytes, StandardCharsets.ISO_8859_1);
        }
        // Java reads the mark of a file of properties as three letters.
        return text.startsWith(Setting.MARK) && !name.endsWith(".properties") ? text.substring(1) : text;
    }

    private static @Nullable Charset marked(byte[] bytes) {
        int first = bytes.length < 2 ? 0 : ((bytes[0] & 0xFF) << 8) | (bytes[1] & 0xFF);
        return first == 0xFFFE || first == 0xFEFF ? StandardCharsets.UTF_16 : null;
    }

    private static @Nullable Charset declared(byte[] bytes) {
        Matcher declared = DECLARED.matcher(
                new String(bytes, 0, Math.min(bytes.length, DECLARED_WITHIN), StandardCharsets.ISO_8859_1));
        if (!declared.find()) {
            return null;
        }
        try {
            Charset charset = Charset.forName(declared.group("name"));
            // It is written in single bytes.
            return charset.name().startsWith("UTF-16") || charset.name().startsWith("UTF-32") ? null : charset;
        } catch (IllegalArgumentException unknown) {
            return null;
        }
    }

    private void suppressions(Path file, String text) {
        Matcher found = SUPPRESSED.matcher(text);
        while (found.find()) {
            for (String rule : found.group("rules").split("[\\s,]+", -1)) {
                suppressed.computeIfAbsent(file, unknown -> new TreeSet<>()).add(rule.toLowerCase(Locale.ROOT));
            }
        }
    }

    private static Path folder(Path file) {
        Path folder = file.getParent();
        return folder == null ? Path.of("") : folder;
    }

    /** The folder of a file's module: that with src/main/resources or config, or the file's own folder. */
    private static Path module(Path file) {
        Path folder = folder(file);
        for (Path at = folder; at != null; at = at.getParent()) {
            if (at.endsWith(Path.of("src", "main", "resources"))) {
                return up(up(up(at)));
            }
        }
        return String.valueOf(folder.getFileName()).equals("config") ? up(folder) : folder;
    }

    private static Path up(Path folder) {
        Path parent = folder.getParent();
        return parent == null ? Path.of("") : parent;
    }

    /** The applications, by their folders. */
    List<Application> applications() {
        Map<Path, List<SettingsFile>> byModule = new TreeMap<>();
        for (SettingsFile file : settings) {
            byModule.computeIfAbsent(module(file.file()), unknown -> new ArrayList<>())
                    .add(file);
        }
        List<Application> applications = new ArrayList<>();
        byModule.forEach((module, files) -> {
            List<Setting> of = outsideOf(module, byModule.size() == 1);
            applications.add(new Application(
                    module,
                    files,
                    builds(module),
                    ownPools.stream().anyMatch(source -> inside(source, module) || !inside(source, byModule.keySet())),
                    hidden || unread.stream().anyMatch(file -> module(file).equals(module)),
                    merged(of),
                    of.stream().filter(Project::isDeployed).toList()));
        });
        return applications;
    }

    private static boolean inside(Path file, Path folder) {
        return folder.toString().isEmpty() || file.startsWith(folder);
    }

    private static boolean inside(Path file, Set<Path> folders) {
        return folders.stream().anyMatch(folder -> inside(file, folder));
    }

    /** Whether the build of a file's module names a pool that Hibernate uses without any setting. */
    boolean hasPoolOfHibernate(Path file) {
        return builds(module(file)).stream()
                .anyMatch(build -> OF_HIBERNATE.stream().anyMatch(build::has));
    }

    private List<BuildFile> builds(Path module) {
        List<BuildFile> of = new ArrayList<>();
        Map<String, String> catalog = new TreeMap<>();
        for (Path at = module; ; at = up(at)) {
            of.addAll(builds.getOrDefault(at, List.of()));
            catalogs.getOrDefault(at.resolve("gradle"), Map.of()).forEach(catalog::putIfAbsent);
            if (at.toString().isEmpty()) {
                return of.stream().map(each -> each.with(catalog)).toList();
            }
        }
    }

    private List<Setting> outsideOf(Path module, boolean only) {
        return outside.settings().stream()
                .filter(each -> only
                        || (inside(each.file(), module) && !module.toString().isEmpty()))
                .toList();
    }

    /** By their keys. Of several values, as of overlays, those for developers do not count, and other ones are unknown. */
    private static Map<String, Setting> merged(List<Setting> all) {
        Map<String, List<Setting>> byKey = new LinkedHashMap<>();
        all.forEach(each ->
                byKey.computeIfAbsent(each.plain(), key -> new ArrayList<>()).add(each));
        Map<String, Setting> merged = new LinkedHashMap<>();
        byKey.forEach((key, each) -> {
            List<Setting> of = new ArrayList<>(each);
            if (!of.stream().allMatch(Project::isForDevelopment)) {
                of.removeIf(Project::isForDevelopment);
            }
            Setting last = of.get(of.size() - 1);
            boolean several = of.stream()
                    .anyMatch(other ->
                            !other.file().equals(last.file()) && !other.value().equals(last.value()));
            merged.put(key, several ? new Setting(last.file(), last.line(), last.key(), "${}") : last);
        });
        return merged;
    }

    private static boolean isForDevelopment(Setting setting) {
        for (Path part : setting.file()) {
            if (Application.isForDevelopment(part.toString())) {
                return true;
            }
        }
        return false;
    }

    /** Developers use Compose, scripts, and files of variables. */
    private static boolean isDeployed(Setting setting) {
        String name = String.valueOf(setting.file().getFileName());
        return !name.contains("compose") && !DEVELOPERS.matcher(name).matches();
    }
}
