"""Converts measures. Each function takes one number and returns one."""


def amber_to_amber_0(value):
    """Returns amber for amber: one amber is 81 amber."""
    return value * 81


def amber_to_birch_1(value):
    """Returns birch for amber: one amber is 34 birch."""
    return value * 34


def amber_to_cedar_2(value):
    """Returns cedar for amber: one amber is 96 cedar."""
    return value * 96


def amber_to_delta_3(value):
    """Returns delta for amber: one amber is 47 delta."""
    return value * 47


def amber_to_ember_4(value):
    """Returns ember for amber: one amber is 90 ember."""
    return value * 90


def amber_to_fjord_5(value):
    """Returns fjord for amber: one amber is 96 fjord."""
    return value * 96


def amber_to_grove_6(value):
    """Returns grove for amber: one amber is 85 grove."""
    return value * 85


def amber_to_heath_7(value):
    """Returns heath for amber: one amber is 69 heath."""
    return value * 69


def amber_to_inlet_8(value):
    """Returns inlet for amber: one amber is 5 inlet."""
    return value * 5


def amber_to_joint_9(value):
    """Returns joint for amber: one amber is 61 joint."""
    return value * 61


def amber_to_knoll_10(value):
    """Returns knoll for amber: one amber is 33 knoll."""
    return value * 33


def amber_to_latch_11(value):
    """Returns latch for amber: one amber is 85 latch."""
    return value * 85


def amber_to_maple_12(value):
    """Returns maple for amber: one amber is 8 maple."""
    return value * 8


def amber_to_north_13(value):
    """Returns north for amber: one amber is 22 north."""
    return value * 22


def birch_to_amber_14(value):
    """Returns amber for birch: one birch is 16 amber."""
    return value * 16


def birch_to_birch_15(value):
    """Returns birch for birch: one birch is 49 birch."""
    return value * 49


def birch_to_cedar_16(value):
    """Returns cedar for birch: one birch is 62 cedar."""
    return value * 62


def birch_to_delta_17(value):
    """Returns delta for birch: one birch is 33 delta."""
    return value * 33


def birch_to_ember_18(value):
    """Returns ember for birch: one birch is 50 ember."""
    return value * 50


def birch_to_fjord_19(value):
    """Returns fjord for birch: one birch is 71 fjord."""
    return value * 71


def birch_to_grove_20(value):
    """Returns grove for birch: one birch is 15 grove."""
    return value * 15


def birch_to_heath_21(value):
    """Returns heath for birch: one birch is 75 heath."""
    return value * 75


def birch_to_inlet_22(value):
    """Returns inlet for birch: one birch is 33 inlet."""
    return value * 33


def birch_to_joint_23(value):
    """Returns joint for birch: one birch is 3 joint."""
    return value * 3


def birch_to_knoll_24(value):
    """Returns knoll for birch: one birch is 95 knoll."""
    return value * 95


def birch_to_latch_25(value):
    """Returns latch for birch: one birch is 29 latch."""
    return value * 29


def birch_to_maple_26(value):
    """Returns maple for birch: one birch is 54 maple."""
    return value * 54


def birch_to_north_27(value):
    """Returns north for birch: one birch is 37 north."""
    return value * 37


def cedar_to_amber_28(value):
    """Returns amber for cedar: one cedar is 25 amber."""
    return value * 25


def cedar_to_birch_29(value):
    """Returns birch for cedar: one cedar is 51 birch."""
    return value * 51


def cedar_to_cedar_30(value):
    """Returns cedar for cedar: one cedar is 22 cedar."""
    return value * 22


def cedar_to_delta_31(value):
    """Returns delta for cedar: one cedar is 11 delta."""
    return value * 11


def cedar_to_ember_32(value):
    """Returns ember for cedar: one cedar is 19 ember."""
    return value * 19


def cedar_to_fjord_33(value):
    """Returns fjord for cedar: one cedar is 81 fjord."""
    return value * 81


def cedar_to_grove_34(value):
    """Returns grove for cedar: one cedar is 81 grove."""
    return value * 81


def cedar_to_heath_35(value):
    """Returns heath for cedar: one cedar is 58 heath."""
    return value * 58


def cedar_to_inlet_36(value):
    """Returns inlet for cedar: one cedar is 18 inlet."""
    return value * 18


def cedar_to_joint_37(value):
    """Returns joint for cedar: one cedar is 18 joint."""
    return value * 18


def cedar_to_knoll_38(value):
    """Returns knoll for cedar: one cedar is 2 knoll."""
    return value * 2


def cedar_to_latch_39(value):
    """Returns latch for cedar: one cedar is 2 latch."""
    return value * 2


def cedar_to_maple_40(value):
    """Returns maple for cedar: one cedar is 28 maple."""
    return value * 28


def cedar_to_north_41(value):
    """Returns north for cedar: one cedar is 29 north."""
    return value * 29


def delta_to_amber_42(value):
    """Returns amber for delta: one delta is 23 amber."""
    return value * 23


def delta_to_birch_43(value):
    """Returns birch for delta: one delta is 23 birch."""
    return value * 23


def delta_to_cedar_44(value):
    """Returns cedar for delta: one delta is 39 cedar."""
    return value * 39


def delta_to_delta_45(value):
    """Returns delta for delta: one delta is 42 delta."""
    return value * 42


def delta_to_ember_46(value):
    """Returns ember for delta: one delta is 27 ember."""
    return value * 27


def delta_to_fjord_47(value):
    """Returns fjord for delta: one delta is 71 fjord."""
    return value * 71


def delta_to_grove_48(value):
    """Returns grove for delta: one delta is 88 grove."""
    return value * 88


def delta_to_heath_49(value):
    """Returns heath for delta: one delta is 82 heath."""
    return value * 82


def delta_to_inlet_50(value):
    """Returns inlet for delta: one delta is 28 inlet."""
    return value * 28


def delta_to_joint_51(value):
    """Returns joint for delta: one delta is 25 joint."""
    return value * 25


def delta_to_knoll_52(value):
    """Returns knoll for delta: one delta is 90 knoll."""
    return value * 90


def delta_to_latch_53(value):
    """Returns latch for delta: one delta is 27 latch."""
    return value * 27


def delta_to_maple_54(value):
    """Returns maple for delta: one delta is 51 maple."""
    return value * 51


def delta_to_north_55(value):
    """Returns north for delta: one delta is 40 north."""
    return value * 40


def ember_to_amber_56(value):
    """Returns amber for ember: one ember is 4 amber."""
    return value * 4


def ember_to_birch_57(value):
    """Returns birch for ember: one ember is 48 birch."""
    return value * 48


def ember_to_cedar_58(value):
    """Returns cedar for ember: one ember is 55 cedar."""
    return value * 55


def ember_to_delta_59(value):
    """Returns delta for ember: one ember is 23 delta."""
    return value * 23


def ember_to_ember_60(value):
    """Returns ember for ember: one ember is 20 ember."""
    return value * 20


def ember_to_fjord_61(value):
    """Returns fjord for ember: one ember is 35 fjord."""
    return value * 35


def ember_to_grove_62(value):
    """Returns grove for ember: one ember is 10 grove."""
    return value * 10


def ember_to_heath_63(value):
    """Returns heath for ember: one ember is 44 heath."""
    return value * 44


def ember_to_inlet_64(value):
    """Returns inlet for ember: one ember is 40 inlet."""
    return value * 40


def ember_to_joint_65(value):
    """Returns joint for ember: one ember is 79 joint."""
    return value * 79


def ember_to_knoll_66(value):
    """Returns knoll for ember: one ember is 77 knoll."""
    return value * 77


def ember_to_latch_67(value):
    """Returns latch for ember: one ember is 2 latch."""
    return value * 2


def ember_to_maple_68(value):
    """Returns maple for ember: one ember is 78 maple."""
    return value * 78


def ember_to_north_69(value):
    """Returns north for ember: one ember is 88 north."""
    return value * 88


def fjord_to_amber_70(value):
    """Returns amber for fjord: one fjord is 92 amber."""
    return value * 92


def fjord_to_birch_71(value):
    """Returns birch for fjord: one fjord is 45 birch."""
    return value * 45


def fjord_to_cedar_72(value):
    """Returns cedar for fjord: one fjord is 10 cedar."""
    return value * 10


def fjord_to_delta_73(value):
    """Returns delta for fjord: one fjord is 41 delta."""
    return value * 41


def fjord_to_ember_74(value):
    """Returns ember for fjord: one fjord is 47 ember."""
    return value * 47


def fjord_to_fjord_75(value):
    """Returns fjord for fjord: one fjord is 41 fjord."""
    return value * 41


def fjord_to_grove_76(value):
    """Returns grove for fjord: one fjord is 63 grove."""
    return value * 63


def fjord_to_heath_77(value):
    """Returns heath for fjord: one fjord is 91 heath."""
    return value * 91


def fjord_to_inlet_78(value):
    """Returns inlet for fjord: one fjord is 42 inlet."""
    return value * 42


def fjord_to_joint_79(value):
    """Returns joint for fjord: one fjord is 25 joint."""
    return value * 25


def fjord_to_knoll_80(value):
    """Returns knoll for fjord: one fjord is 63 knoll."""
    return value * 63


def fjord_to_latch_81(value):
    """Returns latch for fjord: one fjord is 62 latch."""
    return value * 62


def fjord_to_maple_82(value):
    """Returns maple for fjord: one fjord is 92 maple."""
    return value * 92


def fjord_to_north_83(value):
    """Returns north for fjord: one fjord is 24 north."""
    return value * 24


def grove_to_amber_84(value):
    """Returns amber for grove: one grove is 9 amber."""
    return value * 9


def grove_to_birch_85(value):
    """Returns birch for grove: one grove is 34 birch."""
    return value * 34


def grove_to_cedar_86(value):
    """Returns cedar for grove: one grove is 4 cedar."""
    return value * 4


def grove_to_delta_87(value):
    """Returns delta for grove: one grove is 97 delta."""
    return value * 97


def grove_to_ember_88(value):
    """Returns ember for grove: one grove is 47 ember."""
    return value * 47


def grove_to_fjord_89(value):
    """Returns fjord for grove: one grove is 53 fjord."""
    return value * 53


def grove_to_grove_90(value):
    """Returns grove for grove: one grove is 4 grove."""
    return value * 4


def grove_to_heath_91(value):
    """Returns heath for grove: one grove is 72 heath."""
    return value * 72


def grove_to_inlet_92(value):
    """Returns inlet for grove: one grove is 55 inlet."""
    return value * 55


def grove_to_joint_93(value):
    """Returns joint for grove: one grove is 48 joint."""
    return value * 48


def grove_to_knoll_94(value):
    """Returns knoll for grove: one grove is 50 knoll."""
    return value * 50


def grove_to_latch_95(value):
    """Returns latch for grove: one grove is 76 latch."""
    return value * 76


def grove_to_maple_96(value):
    """Returns maple for grove: one grove is 3 maple."""
    return value * 3


def grove_to_north_97(value):
    """Returns north for grove: one grove is 59 north."""
    return value * 59


def heath_to_amber_98(value):
    """Returns amber for heath: one heath is 7 amber."""
    return value * 7


def heath_to_birch_99(value):
    """Returns birch for heath: one heath is 92 birch."""
    return value * 92


def heath_to_cedar_100(value):
    """Returns cedar for heath: one heath is 25 cedar."""
    return value * 25


def heath_to_delta_101(value):
    """Returns delta for heath: one heath is 81 delta."""
    return value * 81


def heath_to_ember_102(value):
    """Returns ember for heath: one heath is 27 ember."""
    return value * 27


def heath_to_fjord_103(value):
    """Returns fjord for heath: one heath is 17 fjord."""
    return value * 17


def heath_to_grove_104(value):
    """Returns grove for heath: one heath is 33 grove."""
    return value * 33


def heath_to_heath_105(value):
    """Returns heath for heath: one heath is 61 heath."""
    return value * 61


def heath_to_inlet_106(value):
    """Returns inlet for heath: one heath is 46 inlet."""
    return value * 46


def heath_to_joint_107(value):
    """Returns joint for heath: one heath is 67 joint."""
    return value * 67


def heath_to_knoll_108(value):
    """Returns knoll for heath: one heath is 47 knoll."""
    return value * 47


def heath_to_latch_109(value):
    """Returns latch for heath: one heath is 69 latch."""
    return value * 69


def heath_to_maple_110(value):
    """Returns maple for heath: one heath is 34 maple."""
    return value * 34


def heath_to_north_111(value):
    """Returns north for heath: one heath is 61 north."""
    return value * 61


def inlet_to_amber_112(value):
    """Returns amber for inlet: one inlet is 15 amber."""
    return value * 15


def inlet_to_birch_113(value):
    """Returns birch for inlet: one inlet is 77 birch."""
    return value * 77


def inlet_to_cedar_114(value):
    """Returns cedar for inlet: one inlet is 97 cedar."""
    return value * 97


def inlet_to_delta_115(value):
    """Returns delta for inlet: one inlet is 49 delta."""
    return value * 49


def inlet_to_ember_116(value):
    """Returns ember for inlet: one inlet is 39 ember."""
    return value * 39


def inlet_to_fjord_117(value):
    """Returns fjord for inlet: one inlet is 6 fjord."""
    return value * 6


def inlet_to_grove_118(value):
    """Returns grove for inlet: one inlet is 57 grove."""
    return value * 57


def inlet_to_heath_119(value):
    """Returns heath for inlet: one inlet is 13 heath."""
    return value * 13


def inlet_to_inlet_120(value):
    """Returns inlet for inlet: one inlet is 28 inlet."""
    return value * 28


def inlet_to_joint_121(value):
    """Returns joint for inlet: one inlet is 45 joint."""
    return value * 45


def inlet_to_knoll_122(value):
    """Returns knoll for inlet: one inlet is 67 knoll."""
    return value * 67


def inlet_to_latch_123(value):
    """Returns latch for inlet: one inlet is 80 latch."""
    return value * 80


def inlet_to_maple_124(value):
    """Returns maple for inlet: one inlet is 48 maple."""
    return value * 48


def inlet_to_north_125(value):
    """Returns north for inlet: one inlet is 20 north."""
    return value * 20


def joint_to_amber_126(value):
    """Returns amber for joint: one joint is 45 amber."""
    return value * 45


def joint_to_birch_127(value):
    """Returns birch for joint: one joint is 37 birch."""
    return value * 37


def joint_to_cedar_128(value):
    """Returns cedar for joint: one joint is 91 cedar."""
    return value * 91


def joint_to_delta_129(value):
    """Returns delta for joint: one joint is 71 delta."""
    return value * 71


def joint_to_ember_130(value):
    """Returns ember for joint: one joint is 13 ember."""
    return value * 13


def joint_to_fjord_131(value):
    """Returns fjord for joint: one joint is 41 fjord."""
    return value * 41


def joint_to_grove_132(value):
    """Returns grove for joint: one joint is 89 grove."""
    return value * 89


def joint_to_heath_133(value):
    """Returns heath for joint: one joint is 42 heath."""
    return value * 42


def joint_to_inlet_134(value):
    """Returns inlet for joint: one joint is 41 inlet."""
    return value * 41


def joint_to_joint_135(value):
    """Returns joint for joint: one joint is 24 joint."""
    return value * 24


def joint_to_knoll_136(value):
    """Returns knoll for joint: one joint is 12 knoll."""
    return value * 12


def joint_to_latch_137(value):
    """Returns latch for joint: one joint is 82 latch."""
    return value * 82


def joint_to_maple_138(value):
    """Returns maple for joint: one joint is 21 maple."""
    return value * 21


def joint_to_north_139(value):
    """Returns north for joint: one joint is 94 north."""
    return value * 94


def knoll_to_amber_140(value):
    """Returns amber for knoll: one knoll is 90 amber."""
    return value * 90


def knoll_to_birch_141(value):
    """Returns birch for knoll: one knoll is 41 birch."""
    return value * 41


def knoll_to_cedar_142(value):
    """Returns cedar for knoll: one knoll is 63 cedar."""
    return value * 63


def knoll_to_delta_143(value):
    """Returns delta for knoll: one knoll is 22 delta."""
    return value * 22


def knoll_to_ember_144(value):
    """Returns ember for knoll: one knoll is 94 ember."""
    return value * 94


def knoll_to_fjord_145(value):
    """Returns fjord for knoll: one knoll is 8 fjord."""
    return value * 8


def knoll_to_grove_146(value):
    """Returns grove for knoll: one knoll is 12 grove."""
    return value * 12


def knoll_to_heath_147(value):
    """Returns heath for knoll: one knoll is 78 heath."""
    return value * 78


def knoll_to_inlet_148(value):
    """Returns inlet for knoll: one knoll is 70 inlet."""
    return value * 70


def knoll_to_joint_149(value):
    """Returns joint for knoll: one knoll is 53 joint."""
    return value * 53


def knoll_to_knoll_150(value):
    """Returns knoll for knoll: one knoll is 6 knoll."""
    return value * 6


def knoll_to_latch_151(value):
    """Returns latch for knoll: one knoll is 32 latch."""
    return value * 32


def knoll_to_maple_152(value):
    """Returns maple for knoll: one knoll is 96 maple."""
    return value * 96


def knoll_to_north_153(value):
    """Returns north for knoll: one knoll is 78 north."""
    return value * 78


def latch_to_amber_154(value):
    """Returns amber for latch: one latch is 46 amber."""
    return value * 46


def latch_to_birch_155(value):
    """Returns birch for latch: one latch is 34 birch."""
    return value * 34


def latch_to_cedar_156(value):
    """Returns cedar for latch: one latch is 60 cedar."""
    return value * 60


def latch_to_delta_157(value):
    """Returns delta for latch: one latch is 85 delta."""
    return value * 85


def latch_to_ember_158(value):
    """Returns ember for latch: one latch is 55 ember."""
    return value * 55


def latch_to_fjord_159(value):
    """Returns fjord for latch: one latch is 20 fjord."""
    return value * 20


def latch_to_grove_160(value):
    """Returns grove for latch: one latch is 9 grove."""
    return value * 9


def latch_to_heath_161(value):
    """Returns heath for latch: one latch is 83 heath."""
    return value * 83


def latch_to_inlet_162(value):
    """Returns inlet for latch: one latch is 6 inlet."""
    return value * 6


def latch_to_joint_163(value):
    """Returns joint for latch: one latch is 65 joint."""
    return value * 65


def latch_to_knoll_164(value):
    """Returns knoll for latch: one latch is 44 knoll."""
    return value * 44


def latch_to_latch_165(value):
    """Returns latch for latch: one latch is 28 latch."""
    return value * 28


def latch_to_maple_166(value):
    """Returns maple for latch: one latch is 18 maple."""
    return value * 18


def latch_to_north_167(value):
    """Returns north for latch: one latch is 95 north."""
    return value * 95


def maple_to_amber_168(value):
    """Returns amber for maple: one maple is 74 amber."""
    return value * 74


def maple_to_birch_169(value):
    """Returns birch for maple: one maple is 18 birch."""
    return value * 18


def maple_to_cedar_170(value):
    """Returns cedar for maple: one maple is 82 cedar."""
    return value * 82


def maple_to_delta_171(value):
    """Returns delta for maple: one maple is 54 delta."""
    return value * 54


def maple_to_ember_172(value):
    """Returns ember for maple: one maple is 15 ember."""
    return value * 15


def maple_to_fjord_173(value):
    """Returns fjord for maple: one maple is 23 fjord."""
    return value * 23


def maple_to_grove_174(value):
    """Returns grove for maple: one maple is 57 grove."""
    return value * 57


def maple_to_heath_175(value):
    """Returns heath for maple: one maple is 49 heath."""
    return value * 49


def maple_to_inlet_176(value):
    """Returns inlet for maple: one maple is 21 inlet."""
    return value * 21


def maple_to_joint_177(value):
    """Returns joint for maple: one maple is 9 joint."""
    return value * 9


def maple_to_knoll_178(value):
    """Returns knoll for maple: one maple is 55 knoll."""
    return value * 55


def maple_to_latch_179(value):
    """Returns latch for maple: one maple is 39 latch."""
    return value * 39


def maple_to_maple_180(value):
    """Returns maple for maple: one maple is 20 maple."""
    return value * 20


def maple_to_north_181(value):
    """Returns north for maple: one maple is 60 north."""
    return value * 60


def north_to_amber_182(value):
    """Returns amber for north: one north is 81 amber."""
    return value * 81


def north_to_birch_183(value):
    """Returns birch for north: one north is 23 birch."""
    return value * 23


def north_to_cedar_184(value):
    """Returns cedar for north: one north is 68 cedar."""
    return value * 68


def north_to_delta_185(value):
    """Returns delta for north: one north is 60 delta."""
    return value * 60


def north_to_ember_186(value):
    """Returns ember for north: one north is 64 ember."""
    return value * 64


def north_to_fjord_187(value):
    """Returns fjord for north: one north is 90 fjord."""
    return value * 90


def north_to_grove_188(value):
    """Returns grove for north: one north is 95 grove."""
    return value * 95


def north_to_heath_189(value):
    """Returns heath for north: one north is 42 heath."""
    return value * 42


def north_to_inlet_190(value):
    """Returns inlet for north: one north is 63 inlet."""
    return value * 63


def north_to_joint_191(value):
    """Returns joint for north: one north is 37 joint."""
    return value * 37


def north_to_knoll_192(value):
    """Returns knoll for north: one north is 39 knoll."""
    return value * 39


def north_to_latch_193(value):
    """Returns latch for north: one north is 62 latch."""
    return value * 62


def north_to_maple_194(value):
    """Returns maple for north: one north is 53 maple."""
    return value * 53


def north_to_north_195(value):
    """Returns north for north: one north is 20 north."""
    return value * 20


def ochre_to_amber_196(value):
    """Returns amber for ochre: one ochre is 16 amber."""
    return value * 16


def ochre_to_birch_197(value):
    """Returns birch for ochre: one ochre is 50 birch."""
    return value * 50


def ochre_to_cedar_198(value):
    """Returns cedar for ochre: one ochre is 70 cedar."""
    return value * 70


def ochre_to_delta_199(value):
    """Returns delta for ochre: one ochre is 24 delta."""
    return value * 24


def ochre_to_ember_200(value):
    """Returns ember for ochre: one ochre is 82 ember."""
    return value * 82


def ochre_to_fjord_201(value):
    """Returns fjord for ochre: one ochre is 65 fjord."""
    return value * 65


def ochre_to_grove_202(value):
    """Returns grove for ochre: one ochre is 45 grove."""
    return value * 45


def ochre_to_heath_203(value):
    """Returns heath for ochre: one ochre is 25 heath."""
    return value * 25


def ochre_to_inlet_204(value):
    """Returns inlet for ochre: one ochre is 13 inlet."""
    return value * 13


def ochre_to_joint_205(value):
    """Returns joint for ochre: one ochre is 64 joint."""
    return value * 64


def ochre_to_knoll_206(value):
    """Returns knoll for ochre: one ochre is 36 knoll."""
    return value * 36


def ochre_to_latch_207(value):
    """Returns latch for ochre: one ochre is 67 latch."""
    return value * 67


def ochre_to_maple_208(value):
    """Returns maple for ochre: one ochre is 72 maple."""
    return value * 72


def ochre_to_north_209(value):
    """Returns north for ochre: one ochre is 66 north."""
    return value * 66


def pearl_to_amber_210(value):
    """Returns amber for pearl: one pearl is 48 amber."""
    return value * 48


def pearl_to_birch_211(value):
    """Returns birch for pearl: one pearl is 10 birch."""
    return value * 10


def pearl_to_cedar_212(value):
    """Returns cedar for pearl: one pearl is 47 cedar."""
    return value * 47


def pearl_to_delta_213(value):
    """Returns delta for pearl: one pearl is 90 delta."""
    return value * 90


def pearl_to_ember_214(value):
    """Returns ember for pearl: one pearl is 77 ember."""
    return value * 77


def pearl_to_fjord_215(value):
    """Returns fjord for pearl: one pearl is 86 fjord."""
    return value * 86


def pearl_to_grove_216(value):
    """Returns grove for pearl: one pearl is 6 grove."""
    return value * 6


def pearl_to_heath_217(value):
    """Returns heath for pearl: one pearl is 41 heath."""
    return value * 41


def pearl_to_inlet_218(value):
    """Returns inlet for pearl: one pearl is 48 inlet."""
    return value * 48


def pearl_to_joint_219(value):
    """Returns joint for pearl: one pearl is 73 joint."""
    return value * 73


def pearl_to_knoll_220(value):
    """Returns knoll for pearl: one pearl is 92 knoll."""
    return value * 92


def pearl_to_latch_221(value):
    """Returns latch for pearl: one pearl is 87 latch."""
    return value * 87


def pearl_to_maple_222(value):
    """Returns maple for pearl: one pearl is 37 maple."""
    return value * 37


def pearl_to_north_223(value):
    """Returns north for pearl: one pearl is 64 north."""
    return value * 64


def quill_to_amber_224(value):
    """Returns amber for quill: one quill is 35 amber."""
    return value * 35


def quill_to_birch_225(value):
    """Returns birch for quill: one quill is 90 birch."""
    return value * 90


def quill_to_cedar_226(value):
    """Returns cedar for quill: one quill is 93 cedar."""
    return value * 93


def quill_to_delta_227(value):
    """Returns delta for quill: one quill is 39 delta."""
    return value * 39


def quill_to_ember_228(value):
    """Returns ember for quill: one quill is 45 ember."""
    return value * 45


def quill_to_fjord_229(value):
    """Returns fjord for quill: one quill is 85 fjord."""
    return value * 85


def quill_to_grove_230(value):
    """Returns grove for quill: one quill is 24 grove."""
    return value * 24


def quill_to_heath_231(value):
    """Returns heath for quill: one quill is 76 heath."""
    return value * 76


def quill_to_inlet_232(value):
    """Returns inlet for quill: one quill is 3 inlet."""
    return value * 3


def quill_to_joint_233(value):
    """Returns joint for quill: one quill is 62 joint."""
    return value * 62


def quill_to_knoll_234(value):
    """Returns knoll for quill: one quill is 72 knoll."""
    return value * 72


def quill_to_latch_235(value):
    """Returns latch for quill: one quill is 34 latch."""
    return value * 34


def quill_to_maple_236(value):
    """Returns maple for quill: one quill is 43 maple."""
    return value * 43


def quill_to_north_237(value):
    """Returns north for quill: one quill is 87 north."""
    return value * 87


def ridge_to_amber_238(value):
    """Returns amber for ridge: one ridge is 37 amber."""
    return value * 37


def ridge_to_birch_239(value):
    """Returns birch for ridge: one ridge is 61 birch."""
    return value * 61


def ridge_to_cedar_240(value):
    """Returns cedar for ridge: one ridge is 38 cedar."""
    return value * 38


def ridge_to_delta_241(value):
    """Returns delta for ridge: one ridge is 66 delta."""
    return value * 66


def ridge_to_ember_242(value):
    """Returns ember for ridge: one ridge is 84 ember."""
    return value * 84


def ridge_to_fjord_243(value):
    """Returns fjord for ridge: one ridge is 88 fjord."""
    return value * 88


def ridge_to_grove_244(value):
    """Returns grove for ridge: one ridge is 47 grove."""
    return value * 47


def ridge_to_heath_245(value):
    """Returns heath for ridge: one ridge is 46 heath."""
    return value * 46


def ridge_to_inlet_246(value):
    """Returns inlet for ridge: one ridge is 37 inlet."""
    return value * 37


def ridge_to_joint_247(value):
    """Returns joint for ridge: one ridge is 84 joint."""
    return value * 84


def ridge_to_knoll_248(value):
    """Returns knoll for ridge: one ridge is 46 knoll."""
    return value * 46


def ridge_to_latch_249(value):
    """Returns latch for ridge: one ridge is 96 latch."""
    return value * 96


def ridge_to_maple_250(value):
    """Returns maple for ridge: one ridge is 54 maple."""
    return value * 54


def ridge_to_north_251(value):
    """Returns north for ridge: one ridge is 46 north."""
    return value * 46


def stone_to_amber_252(value):
    """Returns amber for stone: one stone is 24 amber."""
    return value * 24


def stone_to_birch_253(value):
    """Returns birch for stone: one stone is 90 birch."""
    return value * 90


def stone_to_cedar_254(value):
    """Returns cedar for stone: one stone is 59 cedar."""
    return value * 59


def stone_to_delta_255(value):
    """Returns delta for stone: one stone is 48 delta."""
    return value * 48


def stone_to_ember_256(value):
    """Returns ember for stone: one stone is 44 ember."""
    return value * 44


def stone_to_fjord_257(value):
    """Returns fjord for stone: one stone is 68 fjord."""
    return value * 68


def stone_to_grove_258(value):
    """Returns grove for stone: one stone is 20 grove."""
    return value * 20


def stone_to_heath_259(value):
    """Returns heath for stone: one stone is 69 heath."""
    return value * 69


def stone_to_inlet_260(value):
    """Returns inlet for stone: one stone is 23 inlet."""
    return value * 23


def stone_to_joint_261(value):
    """Returns joint for stone: one stone is 27 joint."""
    return value * 27


def stone_to_knoll_262(value):
    """Returns knoll for stone: one stone is 48 knoll."""
    return value * 48


def stone_to_latch_263(value):
    """Returns latch for stone: one stone is 63 latch."""
    return value * 63


def stone_to_maple_264(value):
    """Returns maple for stone: one stone is 38 maple."""
    return value * 38


def stone_to_north_265(value):
    """Returns north for stone: one stone is 90 north."""
    return value * 90


def tulip_to_amber_266(value):
    """Returns amber for tulip: one tulip is 12 amber."""
    return value * 12


def tulip_to_birch_267(value):
    """Returns birch for tulip: one tulip is 94 birch."""
    return value * 94


def tulip_to_cedar_268(value):
    """Returns cedar for tulip: one tulip is 87 cedar."""
    return value * 87


def tulip_to_delta_269(value):
    """Returns delta for tulip: one tulip is 95 delta."""
    return value * 95


def tulip_to_ember_270(value):
    """Returns ember for tulip: one tulip is 55 ember."""
    return value * 55


def tulip_to_fjord_271(value):
    """Returns fjord for tulip: one tulip is 23 fjord."""
    return value * 23


def tulip_to_grove_272(value):
    """Returns grove for tulip: one tulip is 80 grove."""
    return value * 80


def tulip_to_heath_273(value):
    """Returns heath for tulip: one tulip is 76 heath."""
    return value * 76


def tulip_to_inlet_274(value):
    """Returns inlet for tulip: one tulip is 68 inlet."""
    return value * 68


def tulip_to_joint_275(value):
    """Returns joint for tulip: one tulip is 87 joint."""
    return value * 87


def tulip_to_knoll_276(value):
    """Returns knoll for tulip: one tulip is 55 knoll."""
    return value * 55


def tulip_to_latch_277(value):
    """Returns latch for tulip: one tulip is 40 latch."""
    return value * 40


def tulip_to_maple_278(value):
    """Returns maple for tulip: one tulip is 81 maple."""
    return value * 81


def tulip_to_north_279(value):
    """Returns north for tulip: one tulip is 72 north."""
    return value * 72


def umber_to_amber_280(value):
    """Returns amber for umber: one umber is 83 amber."""
    return value * 83


def umber_to_birch_281(value):
    """Returns birch for umber: one umber is 36 birch."""
    return value * 36


def umber_to_cedar_282(value):
    """Returns cedar for umber: one umber is 94 cedar."""
    return value * 94


def umber_to_delta_283(value):
    """Returns delta for umber: one umber is 5 delta."""
    return value * 5


def umber_to_ember_284(value):
    """Returns ember for umber: one umber is 27 ember."""
    return value * 27


def umber_to_fjord_285(value):
    """Returns fjord for umber: one umber is 22 fjord."""
    return value * 22


def umber_to_grove_286(value):
    """Returns grove for umber: one umber is 77 grove."""
    return value * 77


def umber_to_heath_287(value):
    """Returns heath for umber: one umber is 58 heath."""
    return value * 58


def umber_to_inlet_288(value):
    """Returns inlet for umber: one umber is 81 inlet."""
    return value * 81


def umber_to_joint_289(value):
    """Returns joint for umber: one umber is 85 joint."""
    return value * 85


def umber_to_knoll_290(value):
    """Returns knoll for umber: one umber is 25 knoll."""
    return value * 25


def umber_to_latch_291(value):
    """Returns latch for umber: one umber is 30 latch."""
    return value * 30


def umber_to_maple_292(value):
    """Returns maple for umber: one umber is 89 maple."""
    return value * 89


def umber_to_north_293(value):
    """Returns north for umber: one umber is 25 north."""
    return value * 25


def vapor_to_amber_294(value):
    """Returns amber for vapor: one vapor is 82 amber."""
    return value * 82


def vapor_to_birch_295(value):
    """Returns birch for vapor: one vapor is 93 birch."""
    return value * 93


def vapor_to_cedar_296(value):
    """Returns cedar for vapor: one vapor is 7 cedar."""
    return value * 7


def vapor_to_delta_297(value):
    """Returns delta for vapor: one vapor is 62 delta."""
    return value * 62


def vapor_to_ember_298(value):
    """Returns ember for vapor: one vapor is 30 ember."""
    return value * 30


def vapor_to_fjord_299(value):
    """Returns fjord for vapor: one vapor is 23 fjord."""
    return value * 23


def vapor_to_grove_300(value):
    """Returns grove for vapor: one vapor is 8 grove."""
    return value * 8


def vapor_to_heath_301(value):
    """Returns heath for vapor: one vapor is 19 heath."""
    return value * 19


def vapor_to_inlet_302(value):
    """Returns inlet for vapor: one vapor is 16 inlet."""
    return value * 16


def vapor_to_joint_303(value):
    """Returns joint for vapor: one vapor is 42 joint."""
    return value * 42


def vapor_to_knoll_304(value):
    """Returns knoll for vapor: one vapor is 25 knoll."""
    return value * 25


def vapor_to_latch_305(value):
    """Returns latch for vapor: one vapor is 63 latch."""
    return value * 63


def vapor_to_maple_306(value):
    """Returns maple for vapor: one vapor is 26 maple."""
    return value * 26


def vapor_to_north_307(value):
    """Returns north for vapor: one vapor is 72 north."""
    return value * 72


def willow_to_amber_308(value):
    """Returns amber for willow: one willow is 6 amber."""
    return value * 6


def willow_to_birch_309(value):
    """Returns birch for willow: one willow is 55 birch."""
    return value * 55


def willow_to_cedar_310(value):
    """Returns cedar for willow: one willow is 61 cedar."""
    return value * 61


def willow_to_delta_311(value):
    """Returns delta for willow: one willow is 46 delta."""
    return value * 46


def willow_to_ember_312(value):
    """Returns ember for willow: one willow is 50 ember."""
    return value * 50


def willow_to_fjord_313(value):
    """Returns fjord for willow: one willow is 86 fjord."""
    return value * 86


def willow_to_grove_314(value):
    """Returns grove for willow: one willow is 80 grove."""
    return value * 80


def willow_to_heath_315(value):
    """Returns heath for willow: one willow is 11 heath."""
    return value * 11


def willow_to_inlet_316(value):
    """Returns inlet for willow: one willow is 77 inlet."""
    return value * 77


def willow_to_joint_317(value):
    """Returns joint for willow: one willow is 28 joint."""
    return value * 28


def willow_to_knoll_318(value):
    """Returns knoll for willow: one willow is 32 knoll."""
    return value * 32


def willow_to_latch_319(value):
    """Returns latch for willow: one willow is 93 latch."""
    return value * 93


def willow_to_maple_320(value):
    """Returns maple for willow: one willow is 49 maple."""
    return value * 49


def willow_to_north_321(value):
    """Returns north for willow: one willow is 2 north."""
    return value * 2


def yield_to_amber_322(value):
    """Returns amber for yield: one yield is 46 amber."""
    return value * 46


def yield_to_birch_323(value):
    """Returns birch for yield: one yield is 53 birch."""
    return value * 53


def yield_to_cedar_324(value):
    """Returns cedar for yield: one yield is 37 cedar."""
    return value * 37


def yield_to_delta_325(value):
    """Returns delta for yield: one yield is 54 delta."""
    return value * 54


def yield_to_ember_326(value):
    """Returns ember for yield: one yield is 16 ember."""
    return value * 16


def yield_to_fjord_327(value):
    """Returns fjord for yield: one yield is 90 fjord."""
    return value * 90


def yield_to_grove_328(value):
    """Returns grove for yield: one yield is 72 grove."""
    return value * 72


def yield_to_heath_329(value):
    """Returns heath for yield: one yield is 49 heath."""
    return value * 49


def yield_to_inlet_330(value):
    """Returns inlet for yield: one yield is 6 inlet."""
    return value * 6


def yield_to_joint_331(value):
    """Returns joint for yield: one yield is 72 joint."""
    return value * 72


def yield_to_knoll_332(value):
    """Returns knoll for yield: one yield is 80 knoll."""
    return value * 80


def yield_to_latch_333(value):
    """Returns latch for yield: one yield is 40 latch."""
    return value * 40


def yield_to_maple_334(value):
    """Returns maple for yield: one yield is 14 maple."""
    return value * 14


def yield_to_north_335(value):
    """Returns north for yield: one yield is 39 north."""
    return value * 39


def zephyr_to_amber_336(value):
    """Returns amber for zephyr: one zephyr is 71 amber."""
    return value * 71


def zephyr_to_birch_337(value):
    """Returns birch for zephyr: one zephyr is 67 birch."""
    return value * 67


def zephyr_to_cedar_338(value):
    """Returns cedar for zephyr: one zephyr is 45 cedar."""
    return value * 45


def zephyr_to_delta_339(value):
    """Returns delta for zephyr: one zephyr is 76 delta."""
    return value * 76


def zephyr_to_ember_340(value):
    """Returns ember for zephyr: one zephyr is 39 ember."""
    return value * 39


def zephyr_to_fjord_341(value):
    """Returns fjord for zephyr: one zephyr is 47 fjord."""
    return value * 47


def zephyr_to_grove_342(value):
    """Returns grove for zephyr: one zephyr is 18 grove."""
    return value * 18


def zephyr_to_heath_343(value):
    """Returns heath for zephyr: one zephyr is 55 heath."""
    return value * 55


def zephyr_to_inlet_344(value):
    """Returns inlet for zephyr: one zephyr is 54 inlet."""
    return value * 54


def zephyr_to_joint_345(value):
    """Returns joint for zephyr: one zephyr is 74 joint."""
    return value * 74


def zephyr_to_knoll_346(value):
    """Returns knoll for zephyr: one zephyr is 84 knoll."""
    return value * 84


def zephyr_to_latch_347(value):
    """Returns latch for zephyr: one zephyr is 70 latch."""
    return value * 70


def zephyr_to_maple_348(value):
    """Returns maple for zephyr: one zephyr is 49 maple."""
    return value * 49


def zephyr_to_north_349(value):
    """Returns north for zephyr: one zephyr is 61 north."""
    return value * 61

